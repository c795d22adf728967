// Tells the owner of an account by e-mail that the service has paused one of its receivers.
import * as v from "valibot";
import { readKeyRing } from "../account/account-store.ts";
import { sendForAccount } from "../aws/account-queue.ts";
import { type MailDocument, paragraph } from "../mail/mail-document.ts";
import { oneLine } from "../mail/one-line.ts";
import type { NoticeSender } from "../mail/send-mail.ts";
import { writtenMinute } from "../mail/written-dates.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { isAutomaticId, type Receiver } from "./receiver.ts";
import { STORED_EVENT_DAYS } from "./stored-events.ts";

/** What the mail says of a paused receiver. */
export const PausedReceiverSchema = v.object({
  id: v.string(),
  name: v.string(),
  /** Its origin: paths and queries can be secrets. */
  origin: v.string(),
  failing_since: v.string(),
  /** True for the last mail of the day. */
  is_last: v.boolean(),
});
export type PausedReceiver = v.InferOutput<typeof PausedReceiverSchema>;

/** Queues the mail about a paused receiver. Does nothing where no mail is configured. */
export async function queuePauseNotice(
  { account_id, id, name, url, outage_since, paused_at }: Receiver,
  { isLast }: { readonly isLast: boolean },
): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl === undefined) return;
  const failing_since = outage_since ?? paused_at ?? "";
  const paused_receiver: PausedReceiver = { id, name, origin: new URL(url).origin, failing_since, is_last: isLast };
  await sendForAccount(queueUrl, { account_id, paused_receiver });
}

/** Sends the mail, unless the account has no address. Rejects when it can't be sent, so that the queue delivers the message again. */
export async function sendPauseNotice(
  { accountId, receiver }: { readonly accountId: number; readonly receiver: PausedReceiver },
  { accountsTable, baseUrl, send }: NoticeSender,
): Promise<void> {
  const { account } = await readKeyRing(accountsTable, accountId);
  if (account.email === null) return;
  await send({ to: account.email, ...pauseMail(receiver, baseUrl) });
  logInfo("paused receiver reported", { account_id: accountId, receiver_id: receiver.id });
}

/** `baseUrl` is the address of the service, without a trailing slash. */
export function pauseMail(
  { id, name, origin, failing_since, is_last }: PausedReceiver,
  baseUrl: string,
): MailDocument<"paused-receiver"> {
  const receiver = isAutomaticId(id) ? origin : `“${oneLine(name)}” (${origin})`;
  return {
    name: "paused-receiver",
    subject: "Webhooks to one of your receivers are paused",
    blocks: [
      paragraph(
        `No webhook to ${receiver} has been accepted since ${writtenMinute(failing_since)}, so we have paused it.`,
      ),
      paragraph(
        `Its webhooks are kept for ${STORED_EVENT_DAYS} days each, also those that could not be delivered in this time. Nothing is ` +
          "sent until you resume it.",
      ),
      {
        kind: "button",
        lead: "When it works again, resume it",
        label: "See the receiver",
        address: `${baseUrl}/app/webhooks?receiver=${id}`,
      },
      ...(is_last
        ? [
            {
              kind: "link",
              lead: "You get no more e-mails about paused receivers today. See all of them",
              address: `${baseUrl}/app/webhooks`,
            } as const,
          ]
        : []),
    ],
  };
}
