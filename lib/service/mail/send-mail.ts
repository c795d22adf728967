// Sends e-mail by Amazon SES: plain text alone, which every reader shows and no page can disguise.
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { SendEmailCommand } from "@aws-sdk/client-sesv2";
import { identityNames, identitySettings } from "../../contract/operator-identity.ts";
import { ses } from "../aws/clients/ses.ts";
import { operatorIdentity } from "../platform/operator-identity.ts";

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

/** Sends a mail, with who runs the service in its last lines. Rejects when SES refuses it; a mailbox that does not exist is reported to the sender's domain later. */
export async function sendMail({ from, to, subject, text }: Mail): Promise<void> {
  await ses().send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: { Data: subject, Charset: "UTF-8" },
          Body: { Text: { Data: withSignature(text), Charset: "UTF-8" } },
        },
      },
    }),
  );
}

/**
 * The text with the addresses that the operator has set, after the line by which readers of mail know a signature (RFC 3676, section 4.3);
 * the text as it is where none is set.
 */
function withSignature(text: string): string {
  const identity = operatorIdentity();
  const lines = identityNames.flatMap((name) => {
    const address = identity[name];
    return address === undefined ? [] : [`${identitySettings[name].label}: ${address}`];
  });
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n-- \n${lines.join("\n")}\n`;
}
