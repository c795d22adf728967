// Enqueues a request as a job: takes a slot of the account, stores the job and sends its message.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { Caller } from "../account/account.ts";
import { effectiveLimits } from "../account/limits.ts";
import { queueText } from "../aws/queue-text.ts";
import type { HeldSlot } from "../aws/slot-counter.ts";
import { requireQuotaForAll, reserveQuota } from "../billing/quota-reservation.ts";
import type { RequestedCapture } from "../captures/capture-request.ts";
import type { RequestedOutputs } from "../captures/parse.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { idTime } from "../platform/ids.ts";
import { requireKnownReceiver } from "../receivers/known-receiver.ts";
import { internalPrefixes } from "../results/lifetime-class.ts";
import { loggableOptions, loggedRequest } from "../usage/loggable-options.ts";
import type { WebhookSettings } from "../webhooks/webhook.ts";
import { type Job, type NewOutput, newJob } from "./job.ts";
import { requireJobAddresses } from "./job-addresses.ts";
import { type JobMessage, MAX_INLINE_BYTES, sendJob } from "./job-queue.ts";
import { putJob, removeJob } from "./job-store.ts";
import { acquireSlot, releaseSlot } from "./slot-store.ts";

export type EnqueueResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "RENDER_QUEUE_URL"
>;

/** A request that becomes a job. */
export interface EnqueuedRequest {
  /** One for each output, in the order of the request. */
  readonly captures: readonly [RequestedCapture, ...RequestedCapture[]];
  /** The options of the request as they were sent. */
  readonly rawOptions: RequestedCapture["rawOptions"];
}

/** Reserves quota for the outputs of a request, and enqueues it. Throws as `enqueueCaptures` does. */
export async function reserveAndEnqueue(
  { outputs, rawOptions }: Pick<RequestedOutputs, "outputs" | "rawOptions">,
  facts: Pick<RequestedCapture, "caller" | "requestId" | "sourceIp"> & { readonly receivedAt: number },
  env: EnqueueResources,
): Promise<Job> {
  const { caller, requestId: id, receivedAt } = facts;
  const reservations = await reserveQuota({ caller, outputs, receivedAt }, env);
  await using undo = new AsyncDisposableStack();
  for (const reservation of reservations) undo.use(reservation); // those that the job has not taken over
  const [first, ...others] = outputs.flatMap(({ group, ...output }, index) => {
    const reservation = reservations[index];
    return reservation ? [{ ...facts, ...output, group: group && { ...group, id }, reservation }] : [];
  });
  if (!first) throw new Error("The request has no outputs.");
  return await enqueueCaptures({ captures: [first, ...others], rawOptions }, env);
}

/**
 * Enqueues a request. Resolves to its job, which takes over the quota reservations. Throws `QUOTA_EXCEEDED` when there isn't quota for all
 * captures, `RATE_LIMITED` when the account has as many jobs as it may have, `VALIDATION_ERROR` for an unknown receiver of its webhook,
 * and the errors of `requireJobAddresses`. A failure leaves nothing behind, neither the slot nor the reservations.
 */
export async function enqueueCaptures(request: EnqueuedRequest, env: EnqueueResources): Promise<Job> {
  const { captures, rawOptions } = request;
  requireQuotaForAll(captures);
  const [{ caller, options: captureOptions }] = captures;
  const accountId = caller.account.id;
  await using undo = new AsyncDisposableStack();
  for (const { reservation } of captures) undo.use(reservation);
  requireJobAddresses(captureOptions, accountId, allowedOrigins());
  await requireKnownReceiver(captureOptions, accountId, env);
  const slot = await takeSlot(caller, env);
  undo.defer(() => cleanUp(() => releaseSlot(env.USAGE_TABLE, accountId, slot), "job slot not released")); // it expires

  const options = await messageOptions(rawOptions, env, undo);

  // The job is stored before its message is sent, so that the worker finds it.
  const job = await putJob(env.ACTIVITY_TABLE, createJob(request, slot));
  undo.defer(() => cleanUp(() => removeJob(env.ACTIVITY_TABLE, job), "job not removed"));
  await sendJob(env.RENDER_QUEUE_URL, { account_id: job.account_id, job_id: job.id, options });
  undo.move();
  for (const { reservation } of captures) reservation.settle();
  return job;
}

async function takeSlot({ account }: Caller, { USAGE_TABLE }: EnqueueResources): Promise<HeldSlot> {
  const now = Date.now();
  const { concurrent_jobs: allowed, requests_per_minute } = effectiveLimits(account, now);
  const limits = { concurrentJobs: allowed.value, requestsPerMinute: requests_per_minute.value };
  const acquired = await acquireSlot(USAGE_TABLE, account.id, { limits, now });
  if ("slot" in acquired) return acquired.slot;
  const by = allowed.is_override ? "the operator of the service allows it" : "its plan allows";
  const message =
    `The account has ${acquired.taken} asynchronous captures that are queued or processing; ${by} ` +
    `${allowed.value} at once. Try again in ${SLOT_RETRY_S} s.`;
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
  undo.defer(() => cleanUp(() => deleteResult(RESULTS_BUCKET, object), "options of a job not deleted")); // they expire
  return { object };
}

function createJob({ captures, rawOptions }: EnqueuedRequest, slot: HeldSlot): Job {
  const [first] = captures;
  const { options, requestId: id } = first;
  const { outputs: _, ...sharedOptions } = rawOptions;
  const { format: __, ...shared } = loggedRequest({ ...first, rawOptions: sharedOptions });
  const toOutput = (capture: RequestedCapture): NewOutput => ({
    group: capture.group,
    allowance: capture.reservation.allowance,
    format: capture.options.format,
    options: ownOptions(loggableOptions(capture.rawOptions), shared.options),
  });
  return newJob({
    id,
    request: shared,
    outputs: [toOutput(first), ...captures.slice(1).map(toOutput)],
    external_identifier: options.external_identifier ?? null,
    webhook: webhookTerms(options),
    slot,
    now: idTime(id),
  });
}

/** The options that differ from the shared ones, which the job has once. */
function ownOptions(
  options: Readonly<Record<string, unknown>>,
  shared: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const differs = ([name, value]: readonly [string, unknown]) => JSON.stringify(value) !== JSON.stringify(shared[name]);
  return Object.fromEntries(Object.entries(options).filter(differs));
}

function webhookTerms(options: CaptureOptions): WebhookSettings | null {
  const { webhook_url: url, webhook_receiver: receiver_id } = options;
  const terms = { is_signed: options.webhook_sign, notifies_on_failure: options.webhook_errors };
  if (receiver_id !== undefined) return { ...terms, url: null, receiver_id };
  return url === undefined ? null : { ...terms, url: url.toWellFormed() };
}
