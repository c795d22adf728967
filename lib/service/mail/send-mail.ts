// Sends e-mail by Amazon SES, each as plain text and as HTML. Readers of mail show one of the two.
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { SendEmailCommand } from "@aws-sdk/client-sesv2";
import { ses } from "../aws/clients/ses.ts";
import { operatorIdentity } from "../platform/operator-identity.ts";
import type { MailDocument } from "./mail-document.ts";
import { mailHtml } from "./mail-html.ts";
import { mailText } from "./mail-text.ts";

export interface Mail extends MailDocument {
  readonly from: string;
  readonly to: string;
}

/** What sends a notice to the owner of an account. */
export interface NoticeSender {
  readonly accountsTable: string;
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly send: (mail: Omit<Mail, "from">) => Promise<void>;
}

/** Sends a mail, with who runs the service in its last lines. Rejects when SES refuses it; a mailbox that does not exist is reported to the sender's domain later. */
export async function sendMail({ from, to, ...mail }: Mail): Promise<void> {
  const identity = operatorIdentity();
  const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
  await ses().send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: utf8(mail.subject),
          Body: { Text: utf8(mailText(mail, identity)), Html: utf8(mailHtml(mail, identity)) },
        },
      },
    }),
  );
}
