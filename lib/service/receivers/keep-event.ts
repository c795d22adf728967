// Keeps the event of a job whose receiver is paused, so that it is sent when the receiver is resumed.
import type { Environment } from "../platform/environment.ts";
import { pausedWebhook, resumedWebhook, type Webhook } from "../webhooks/webhook.ts";
import type { EndedJob } from "../webhooks/webhook-request.ts";
import { replaceWebhook } from "../webhooks/webhook-store.ts";
import { deleteKeptEvent, putKeptEvent } from "./kept-events.ts";
import type { ReceiverIds } from "./receiver.ts";
import { findReceiver } from "./receiver-store.ts";

/**
 * Keeps the event of a job. Resolves to false when the job is to be looked at again, because its webhook has changed or the receiver
 * was resumed meanwhile.
 *
 * The event is listed before the job says that it is paused, and the receiver is read once more after that: a resumption either finds
 * the event in the list, or is found here. If the worker dies in between, its message comes again.
 */
export async function keepEvent(
  job: EndedJob & { readonly webhook: Webhook },
  receiver: ReceiverIds,
  { ACCOUNTS_TABLE, ACTIVITY_TABLE }: Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE">,
): Promise<boolean> {
  const event = await putKeptEvent(ACTIVITY_TABLE, receiver, job, Date.now());
  const webhook = pausedWebhook(job.webhook);
  if (!(await replaceWebhook(ACTIVITY_TABLE, job, webhook))) return false;
  const current = await findReceiver(ACCOUNTS_TABLE, receiver);
  if (current?.status === "paused") return true;
  await replaceWebhook(ACTIVITY_TABLE, { ...job, webhook }, resumedWebhook(webhook));
  await deleteKeptEvent(ACTIVITY_TABLE, receiver, event);
  return false;
}
