// Stores the event of a job whose receiver is paused, so that it is sent when the receiver is resumed.
import { findJob } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import { type DeliverableJob, deliverableJob } from "../webhooks/deliverable-job.ts";
import { pausedWebhook, resumedWebhook } from "../webhooks/webhook.ts";
import { enqueueWebhook } from "../webhooks/webhook-queue.ts";
import { replaceWebhook } from "../webhooks/webhook-store.ts";
import type { Receiver, ReceiverIds } from "./receiver.ts";
import { findReceiver, rememberReceiver } from "./receiver-store.ts";
import { deleteStoredEvent, putStoredEvent, type StoredEvent } from "./stored-events.ts";

type StoringResources = Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE">;

/**
 * Stores the event of a job. Resolves to false when the job is to be looked at again, because its webhook has changed or the receiver
 * was resumed meanwhile.
 *
 * The event is listed before the job says that it is paused, and the receiver is read once more after that: a resumption either finds
 * the event in the list, or is found here. If the worker dies in between, its message comes again.
 */
export async function storeEvent(
  job: Pick<DeliverableJob, "id" | "account_id" | "finished_at" | "webhook">,
  receiver: ReceiverIds,
  { ACCOUNTS_TABLE, ACTIVITY_TABLE }: StoringResources,
): Promise<boolean> {
  const now = Date.now();
  const event = await putStoredEvent(ACTIVITY_TABLE, receiver, { id: job.id, finished_at: job.finished_at }, now);
  const webhook = pausedWebhook(job.webhook);
  if (!(await replaceWebhook(ACTIVITY_TABLE, job, webhook))) return false;
  const current = await findReceiver(ACCOUNTS_TABLE, receiver);
  if (current?.status === "paused") {
    await rememberReceiver(ACCOUNTS_TABLE, current, now);
    return true;
  }
  await replaceWebhook(ACTIVITY_TABLE, { ...job, webhook }, resumedWebhook(webhook));
  await deleteStoredEvent(ACTIVITY_TABLE, receiver, event);
  return false;
}

/**
 * Stores an event whose attempts have ended, because its receiver is paused for having failed at that time. The event leaves the list of
 * ended ones last, so that this can be repeated.
 */
export async function storeEndedEvent(
  receiver: Receiver,
  event: StoredEvent,
  env: StoringResources & Pick<Environment, "WEBHOOK_QUEUE_URL">,
): Promise<void> {
  const ids = { account_id: receiver.account_id, id: event.job_id };
  for (;;) {
    const job = deliverableJob(await findJob(env.ACTIVITY_TABLE, ids, Date.now()));
    if (job?.webhook.status === "pending") {
      // The receiver was resumed meanwhile; or the account has sent the event again, which is due then without this message, too.
      await enqueueWebhook(env.WEBHOOK_QUEUE_URL, job, job.webhook.round);
      break;
    }
    if (job?.webhook.status !== "failed" || event.failing_since !== receiver.outage_since) break;
    if (await storeEvent(job, receiver, env)) break;
  }
  await deleteStoredEvent(env.ACTIVITY_TABLE, receiver, event);
}
