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
