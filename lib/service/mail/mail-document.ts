// A mail as data, from which its plain text and its HTML are rendered.

/** Each mail that the service sends. A new one gets an example in lib/tools/mails/mail-examples.ts, or the examples don't compile. */
export type MailName =
  | "sign-in-code"
  | "current-address-code"
  | "new-address-code"
  | "changed-address"
  | "undone-address"
  | "new-browser"
  | "first-use"
  | "quota-alert"
  | "paused-receiver"
  | "failed-payment"
  | "overdue-payment"
  | "suspended"
  | "resumed"
  | "deleted-account"
  | "sign-in-link"
  | "operator-code"
  | "operator-event";

/** Texts are plain, may have words of customers and operators, and are escaped where they are rendered. */
export type MailBlock =
  /** A paragraph. The first one of a mail is also what lists of mails show next to the subject. */
  | { readonly kind: "paragraph"; readonly text: string }
  /** A code to type. A mail has at most one. */
  | { readonly kind: "code"; readonly code: string }
  /** The one action of a mail: `lead` says what it is for, without a full stop, and `label` is on its button. */
  | { readonly kind: "button"; readonly lead: string; readonly label: string; readonly address: string }
  /** An action that is less important: what it is for, and its address. */
  | { readonly kind: "link"; readonly lead: string; readonly address: string }
  /** A command for a terminal. */
  | { readonly kind: "command"; readonly lead: string; readonly command: string }
  | { readonly kind: "facts"; readonly facts: readonly Fact[] }
  /** What matters only if something is wrong, such as a code that its reader did not ask for. */
  | { readonly kind: "note"; readonly text: string };

export type Fact = readonly [name: string, value: string];

export interface MailDocument<Name extends MailName = MailName> {
  readonly name: Name;
  readonly subject: string;
  /** The heading of the HTML part. @default the subject */
  readonly heading?: string;
  readonly blocks: readonly MailBlock[];
}

export const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });
export const note = (text: string): MailBlock => ({ kind: "note", text });
