// The e-mails of operators.
import type { MailText } from "../sessions/address-mails.ts";

/** The code of an operator who signs in. */
export function operatorCodeMail(code: string, baseUrl: string): MailText {
  return {
    subject: `${code} is your operator code`,
    text:
      `Your code is ${code}\n\nEnter it on the page of ${baseUrl}/operator where you asked for it, within 10 minutes. It opens all ` +
      "accounts of the service, so give it to no one.\n\nIf you did not ask for it, ignore this mail.\n",
  };
}

/** A link to sign in that an operator has the service send to the owner of an account. */
export function operatorSignInLinkMail(accountId: number, link: string): MailText {
  return {
    subject: "A link to sign in to your account",
    text:
      `The operator of the service has a link sent to you, by which you sign in to the account ${accountId}:\n${link}\n\n` +
      "It works once, within 15 minutes. Only you got it: the operator doesn't see it.\n\n" +
      "If you did not expect it, ignore this mail.\n",
  };
}
