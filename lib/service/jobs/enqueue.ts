// Enqueues a request as a job: takes a slot of the account, stores the job and sends its message.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { plans } from "../../contract/plans.ts";
import { queueText } from "../aws/queue-text.ts";
import type { HeldSlot } from "../aws/slot-counter.ts";
import type { QuotaReservation } from "../billing/quota-reservation.ts";
import type { RequestedCapture } from "../captures/capture-request.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import type { Environment } from "../platform/environment.ts";
import { idTime } from "../platform/ids.ts";
import { requireKnownReceiver } from "../receivers/known-receiver.ts";
import { internalPrefixes } from "../results/lifetime-class.ts";
import { loggedRequest } from "../usage/loggable-options.ts";
import type { WebhookSettings } from "../webhooks/webhook.ts";
import { type Job, newJob } from "./job.ts";
import { requireJobAddresses } from "./job-addresses.ts";
import { type JobMessage, MAX_INLINE_BYTES, sendJob } from "./job-queue.ts";
import { putJob, removeJob } from "./job-store.ts";
import { acquireSlot, releaseSlot } from "./slot-store.ts";

export type EnqueueResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "RENDER_QUEUE_URL"
>;

/** A request that becomes a job. */
export interface EnqueuedRequest extends Pick<RequestedCapture, "caller" | "options" | "rawOptions" | "requestId"> {
  readonly stored: Job["request"];
  /** Of its capture, or of each of its outputs. */
  readonly reservations: readonly QuotaReservation[];
}

/**
 * Enqueues a capture. Resolves to its job, which takes over the quota reservation. Throws `QUOTA_EXCEEDED` when nothing is
 * left, and the errors of `enqueue`.
 */
export async function enqueueCapture(request: RequestedCapture, env: EnqueueResources): Promise<Job> {
  const { reservation } = request;
  reservation.require();
  const stored = { ...loggedRequest(request), allowance: reservation.allowance };
  return enqueue({ ...request, stored, reservations: [reservation] }, env);
}

/**
 * Enqueues a request that has quota. Resolves to its job, which takes over the quota reservations. Throws `RATE_LIMITED` when the account
 * has as many jobs as its plan allows, `VALIDATION_ERROR` for an unknown receiver of its webhook, and the errors of
 * `requireJobAddresses`. A failure leaves nothing behind, neither the slot nor the reservations.
 */
export async function enqueue(request: EnqueuedRequest, env: EnqueueResources): Promise<Job> {
  const { reservations } = request;
  await using undo = new AsyncDisposableStack();
  for (const reservation of reservations) undo.defer(() => reservation.release());
  requireJobAddresses(request.options, request.caller.account.id, allowedOrigins());
  await requireKnownReceiver(request.options, request.caller.account.id, env);
  const slot = await takeSlot(request, env);
  undo.defer(() => releaseSlot(env.USAGE_TABLE, request.caller.account.id, slot));

  const options = await messageOptions(request.rawOptions, env, undo);

  // The job is stored before its message is sent, so that the worker finds it.
  const job = await putJob(env.ACTIVITY_TABLE, createJob(request, slot));
  undo.defer(() => removeJob(env.ACTIVITY_TABLE, job));
  await sendJob(env.RENDER_QUEUE_URL, { account_id: job.account_id, job_id: job.id, options });
  undo.move();
  for (const reservation of reservations) reservation.settle();
  return job;
}

async function takeSlot(
  { caller: { account } }: EnqueuedRequest,
  { USAGE_TABLE }: EnqueueResources,
): Promise<HeldSlot> {
  const plan = plans[account.plan];
  const acquired = await acquireSlot(USAGE_TABLE, account.id, { plan, now: Date.now() });
  if ("slot" in acquired) return acquired.slot;
  const message =
    `The account has ${acquired.taken} asynchronous captures that are queued or processing; its plan allows ` +
    `${plan.concurrentJobs} at once. Try again in ${SLOT_RETRY_S} s.`;
  throw new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(SLOT_RETRY_S) } });
}

/** When a slot becomes free is unknown; a capture takes a few seconds. */
const SLOT_RETRY_S = 10;

/** The options as the message carries them. Options that are too large for it go into an object, which `undo` deletes. */
async function messageOptions(
  rawOptions: RequestedCapture["rawOptions"],
  { RESULTS_BUCKET }: EnqueueResources,
  undo: AsyncDisposableStack,
): Promise<JobMessage["options"]> {
  const text = queueText(rawOptions);
  if (Buffer.byteLength(text) <= MAX_INLINE_BYTES) return { inline: { ...rawOptions } };
  const { deleteResult, putResult } = await import("../results/result-store.ts"); // rarely needed, and slow to load
  const object = `${internalPrefixes.options.name}/${randomBytes(24).toString("base64url")}`;
  const facts = { mimeType: "application/json", disposition: "attachment" };
  await putResult(RESULTS_BUCKET, object, Buffer.from(text), facts);
  undo.defer(() => deleteResult(RESULTS_BUCKET, object));
  return { object };
}

function createJob({ options, requestId: id, stored }: EnqueuedRequest, slot: HeldSlot): Job {
  return newJob({
    id,
    request: stored,
    external_identifier: options.external_identifier ?? null,
    webhook: webhookTerms(options),
    slot,
    now: idTime(id),
  });
}

function webhookTerms(options: CaptureOptions): WebhookSettings | null {
  const { webhook_url: url, webhook_receiver: receiver_id } = options;
  const terms = { is_signed: options.webhook_sign, notifies_on_failure: options.webhook_errors };
  if (receiver_id !== undefined) return { ...terms, url: null, receiver_id };
  return url === undefined ? null : { ...terms, url: url.toWellFormed() };
}
