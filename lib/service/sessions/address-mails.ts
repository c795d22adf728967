// The e-mails of signing in and of an account's address: codes, sign-ins in a new browser, and what the previous address receives after
// a change.
import type { Mail } from "../mail/send-mail.ts";
import { writtenMinute } from "../mail/written-dates.ts";
import type { Session } from "./session.ts";

export type MailText = Pick<Mail, "subject" | "text">;

const STAFF_NEVER_ASKS = "Nobody who works for the service asks you for this code.";

/** The code of a visitor who signs in. */
export function signInMail(code: string, baseUrl: string): MailText {
  return {
    subject: `${code} is your sign-in code`,
    text:
      `Your code is ${code}\n\nEnter it on the page of ${baseUrl}/app/sign-in where you asked for it, within 10 minutes.\n` +
      `${STAFF_NEVER_ASKS}\n\nIf you did not ask for it, ignore this mail.\n`,
  };
}

/** The code that proves the current address, before it is changed. */
export function currentAddressMail(code: string, baseUrl: string): MailText {
  return {
    subject: `${code} is your code to change the e-mail address of your account`,
    text:
      `Your code is ${code}\n\nEnter it on the page of ${baseUrl}/app/account where you asked for it, within 10 minutes. You can ` +
      `then give your account another address than this one.\n${STAFF_NEVER_ASKS}\n\n` +
      "If you did not ask for it, someone else is signed in to your account. Without the code, they can't change the address. " +
      `End all other sessions at ${baseUrl}/app/account.\n`,
  };
}

/** The code that proves the new address. */
export function newAddressMail(code: string, baseUrl: string): MailText {
  return {
    subject: `${code} is your code for a new e-mail address`,
    text:
      `Your code is ${code}\n\nEnter it on the page of ${baseUrl}/app/account where you asked for it, within 10 minutes, to use ` +
      `this address for your account.\n${STAFF_NEVER_ASKS}\n\nIf you did not ask for it, ignore this mail.\n`,
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
): MailText {
  return {
    subject: "The e-mail address of your account was changed",
    text:
      `The account ${accountId} at ${baseUrl} now has the address ${email}. This address no longer signs in to it.\n\n` +
      "If you did this, there is nothing to do.\n\n" +
      `If you did not, undo it before ${writtenMinute(undoUntil)}. The account gets this address back, and every browser is ` +
      `signed out:\n${baseUrl}/app/undo-address#token=${undoToken}\n\n` +
      "Then sign in, and revoke every API key that you don't know.\n",
  };
}

/** Notifies an address that it was taken from an account again. */
export function undoneAddressMail({ accountId }: { accountId: number }, baseUrl: string): MailText {
  return {
    subject: "This e-mail address was removed from an account",
    text:
      `The change of the e-mail address of the account ${accountId} at ${baseUrl} was undone by the link that its previous address ` +
      "got. This address no longer signs in to it, and every browser is signed out.\n",
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
): MailText {
  const { accountId, now, browser, network, signed_in_with, reportToken, reportUntil } = facts;
  return {
    subject: "Your account was signed in to in a new browser",
    text:
      `The account ${accountId} at ${baseUrl} was signed in to in a browser that was not used for it before.\n\n` +
      `Time: ${writtenMinute(now)}\nBrowser: ${browser ?? "unknown"}\nNetwork: ${network}\n` +
      `How: ${waysToSignIn[signed_in_with]}\n\nIf this was you, there is nothing to do.\n\n` +
      `If this was not you, sign every browser out, before ${writtenMinute(reportUntil)}. The link works once:\n` +
      `${baseUrl}/app/not-me#token=${reportToken}\n\n` +
      "Then sign in, and revoke every API key that you don't know. Make sure that no one else can read your mail.\n",
  };
}
