// Sends e-mail by Amazon SES: plain text alone, which every reader shows and no page can disguise.
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { SendEmailCommand } from "@aws-sdk/client-sesv2";
import { ses } from "../aws/clients/ses.ts";

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What sends a notice to the owner of an account. */
export interface NoticeSender {
  readonly accountsTable: string;
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly send: (mail: Omit<Mail, "from">) => Promise<void>;
}

/** Sends a mail. Rejects when SES refuses it; a mailbox that does not exist is reported to the sender's domain later. */
export async function sendMail({ from, to, subject, text }: Mail): Promise<void> {
  await ses().send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: { Data: subject, Charset: "UTF-8" },
          Body: { Text: { Data: text, Charset: "UTF-8" } },
        },
      },
    }),
  );
}
