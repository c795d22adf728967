// The e-mails of operators.
import { type MailDocument, note, paragraph } from "../mail/mail-document.ts";

/** The code of an operator who signs in. */
export function operatorCodeMail(code: string, baseUrl: string): MailDocument<"operator-code"> {
  return {
    name: "operator-code",
    subject: `${code} is your operator code`,
    heading: "Your operator code",
    blocks: [
      { kind: "code", code },
      paragraph(
        `Enter it on the page of ${baseUrl}/operator where you asked for it, within 10 minutes. It opens all accounts of the service, ` +
          "so give it to no one.",
      ),
      note("If you did not ask for it, ignore this mail."),
    ],
  };
}

/** A link to sign in that an operator has the service send to the owner of an account. */
export function operatorSignInLinkMail(accountId: number, link: string): MailDocument<"sign-in-link"> {
  return {
    name: "sign-in-link",
    subject: "A link to sign in to your account",
    blocks: [
      {
        kind: "button",
        lead: `The operator of the service has a link sent to you, by which you sign in to the account ${accountId}`,
        label: "Sign in",
        address: link,
      },
      paragraph("It works once, within 15 minutes. Only you got it: the operator doesn't see it."),
      note("If you did not expect it, ignore this mail."),
    ],
  };
}
