// The e-mails of signing in and of an account's address: codes, sign-ins in a new browser, and what the previous address receives after
// a change.
import { type MailDocument, note, paragraph } from "../mail/mail-document.ts";
import { writtenMinute } from "../mail/written-dates.ts";
import type { Session } from "./session.ts";

const STAFF_NEVER_ASKS = "Nobody who works for the service asks you for this code.";
const NOT_ASKED_FOR = note("If you did not ask for it, ignore this mail.");

/** The code of a visitor who signs in. */
export function signInMail(code: string, baseUrl: string): MailDocument<"sign-in-code"> {
  return {
    name: "sign-in-code",
    subject: `${code} is your sign-in code`,
    heading: "Your sign-in code",
    blocks: [
      { kind: "code", code },
      paragraph(`Enter it on the page of ${baseUrl}/app/sign-in where you asked for it, within 10 minutes.`),
      note(STAFF_NEVER_ASKS),
      NOT_ASKED_FOR,
    ],
  };
}

/** The code that proves the current address, before it is changed. */
export function currentAddressMail(code: string, baseUrl: string): MailDocument<"current-address-code"> {
  return {
    name: "current-address-code",
    subject: `${code} is your code to change the e-mail address of your account`,
    heading: "Your code to change the e-mail address of your account",
    blocks: [
      { kind: "code", code },
      paragraph(
        `Enter it on the page of ${baseUrl}/app/account where you asked for it, within 10 minutes. You can then give your account ` +
          "another address than this one.",
      ),
      note(STAFF_NEVER_ASKS),
      paragraph(
        "If you did not ask for it, someone else is signed in to your account. Without the code, they can't change the address.",
      ),
      { kind: "link", lead: "End all other sessions", address: `${baseUrl}/app/account` },
    ],
  };
}

/** The code that proves the new address. */
export function newAddressMail(code: string, baseUrl: string): MailDocument<"new-address-code"> {
  return {
    name: "new-address-code",
    subject: `${code} is your code for a new e-mail address`,
    heading: "Your code for a new e-mail address",
    blocks: [
      { kind: "code", code },
      paragraph(
        `Enter it on the page of ${baseUrl}/app/account where you asked for it, within 10 minutes, to use this address for your account.`,
      ),
      note(STAFF_NEVER_ASKS),
      NOT_ASKED_FOR,
    ],
  };
}

/** Notifies the previous address of a change, with the link that undoes it. `undoUntil` is in milliseconds since 1970. */
export function changedAddressMail(
  {
    accountId,
    email,
    undoToken,
    undoUntil,
  }: { accountId: number; email: string; undoToken: string; undoUntil: number },
  baseUrl: string,
): MailDocument<"changed-address"> {
  return {
    name: "changed-address",
    subject: "The e-mail address of your account was changed",
    blocks: [
      paragraph(
        `The account ${accountId} at ${baseUrl} now has the address ${email}. This address no longer signs in to it.`,
      ),
      paragraph("If you did this, there is nothing to do."),
      {
        kind: "button",
        lead:
          `If you did not, undo it before ${writtenMinute(undoUntil)}. The account gets this address back, and every browser is ` +
          "signed out",
        label: "Undo the change",
        address: `${baseUrl}/app/undo-address#token=${undoToken}`,
      },
      paragraph("Then sign in, and revoke every API key that you don't know."),
    ],
  };
}

/** Notifies an address that it was taken from an account again. */
export function undoneAddressMail(
  { accountId }: { accountId: number },
  baseUrl: string,
): MailDocument<"undone-address"> {
  return {
    name: "undone-address",
    subject: "This e-mail address was removed from an account",
    blocks: [
      paragraph(
        `The change of the e-mail address of the account ${accountId} at ${baseUrl} was undone by the link that its previous address ` +
          "got. This address no longer signs in to it, and every browser is signed out.",
      ),
    ],
  };
}

const waysToSignIn: Readonly<Record<Session["signed_in_with"], string>> = {
  email: "by a code that was sent to this address",
  link: "with a link of the operator",
  api_key: "with an API key of the account",
};

/** Notifies the address of an account of a sign-in at `now` in a new browser, with the link that reports it. */
export function newBrowserMail(
  facts: {
    readonly accountId: number;
    /** Milliseconds since 1970. */
    readonly now: number;
    /** Undefined for one that is not known by name. */
    readonly browser: string | undefined;
    readonly network: string;
    readonly signed_in_with: Session["signed_in_with"];
    readonly reportToken: string;
    /** Milliseconds since 1970. */
    readonly reportUntil: number;
  },
  baseUrl: string,
): MailDocument<"new-browser"> {
  const { accountId, now, browser, network, signed_in_with, reportToken, reportUntil } = facts;
  return {
    name: "new-browser",
    subject: "Your account was signed in to in a new browser",
    blocks: [
      paragraph(
        `The account ${accountId} at ${baseUrl} was signed in to in a browser that was not used for it before.`,
      ),
      {
        kind: "facts",
        facts: [
          ["Time", writtenMinute(now)],
          ["Browser", browser ?? "unknown"],
          ["Network", network],
          ["How", waysToSignIn[signed_in_with]],
        ],
      },
      paragraph("If this was you, there is nothing to do."),
      {
        kind: "button",
        lead: `If this was not you, sign every browser out, before ${writtenMinute(reportUntil)}. The link works once`,
        label: "This was not me",
        address: `${baseUrl}/app/not-me#token=${reportToken}`,
      },
      paragraph(
        "Then sign in, and revoke every API key that you don't know. Make sure that no one else can read your mail.",
      ),
    ],
  };
}
