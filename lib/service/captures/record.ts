// Records the end of a capture in one transaction: its log, the quota it uses, its job, its cache entry and its lease.

import { type ApiError, errorBody } from "../../contract/errors/api-error.ts";
import { plans } from "../../contract/plans.ts";
import type { Write } from "../aws/transaction.ts";
import type { Allowance } from "../billing/quota.ts";
import { settleFailure, settleSuccess } from "../billing/quota-store.ts";
import type { Job } from "../jobs/job.ts";
import { finishWrite, type JobOutcome } from "../jobs/job-writes.ts";
import { releaseSlotWrites } from "../jobs/slot-store.ts";
import { packCapture, packedObject } from "../results/packed-capture-writes.ts";
import { referenceWrites } from "../results/reference-store.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { captureDetails } from "../usage/capture-details.ts";
import type { CaptureEvent } from "../usage/capture-log.ts";
import { chooseShard } from "../usage/counter-shards.ts";
import { recordCapture, type TransactionItem } from "../usage/usage-store.ts";
import { cacheExpiry } from "./cache-key.ts";
import { cacheWrite } from "./cache-store.ts";
import { emitCaptureMetrics, traceCapture } from "./capture-metrics.ts";
import { type CaptureRequest, type CaptureResources, elapsedMs, resultReferrer } from "./capture-request.ts";
import { completionUpdate, type Lease, releaseUpdate } from "./lease-store.ts";
import { createLoggedRequest, type LoggedRequest } from "./logged-request.ts";
import { toSharedFailure } from "./shared-failure.ts";

/** How a capture ended. */
type Outcome =
  | {
      readonly stored: StoredCapture | undefined;
      readonly sizeBytes: number;
      readonly fromCache: boolean;
      readonly page: PageFacts;
    }
  | { readonly error: ApiError };

/** What the log keeps of a page that was captured. */
export interface PageFacts {
  readonly warnings: readonly string[];
  readonly finalUrl: string | null;
  readonly metadata: { readonly blocked?: object };
}

interface CaptureEnd {
  readonly outcome: Outcome;
  readonly responseTimeMs: number;
}

interface Success {
  readonly stored: StoredCapture | undefined;
  readonly sizeBytes: number;
  readonly page: PageFacts;
  readonly lease: Lease | undefined;
}

interface Failure {
  readonly error: ApiError;
  /** The lease of the cache key, if the capture failed while it held it. */
  readonly lease?: Lease | undefined;
}

/**
 * Records a rendered capture, which is billed, and caches its result. Resolves to the id of its log. Throws
 * `NotRecordedError` when another worker has the job.
 */
export async function recordSuccess(
  request: CaptureRequest,
  { stored, sizeBytes, page, lease }: Success,
  env: CaptureResources,
): Promise<number> {
  return record(request, { stored, sizeBytes, page, fromCache: false, lease }, env);
}

/** Records a capture that the cache answered, which is free. Otherwise as `recordSuccess`. */
export async function recordCacheHit(
  request: CaptureRequest,
  stored: StoredCapture,
  env: CaptureResources,
): Promise<number> {
  const { size_bytes: sizeBytes, warnings, final_url: finalUrl, metadata } = stored;
  const page = { warnings, finalUrl, metadata };
  return record(request, { stored, sizeBytes, page, fromCache: true, lease: undefined }, env);
}

/** Records a capture that failed, which is free, and shares its failure with those who wait for it. */
export async function recordFailure(
  request: CaptureRequest,
  { error, lease }: Failure,
  env: CaptureResources,
): Promise<void> {
  await record(request, { error, lease }, env);
}

async function record(
  request: CaptureRequest,
  outcome: Outcome & { readonly lease: Lease | undefined },
  env: CaptureResources,
): Promise<number> {
  const responseTimeMs = elapsedMs(request);
  return request.clock.measure("store", async () => {
    const items = [
      ...(await jobItems(request, { outcome, responseTimeMs }, env)),
      ...("error" in outcome ? sharedFailureItems(outcome) : await cacheItems(request, outcome, env)),
    ];
    const { requestId, clock, reservation } = request;
    const { allowance } = reservation;
    const facts = { allowance, requestId, responseTimeMs, isStoredByCustomer: request.options.store };
    const ended = { ...createLoggedRequest(request), ...facts, phases: clock.durations() };
    const id = await writeLog(ended, outcome, items, env);
    const [error, fromCache] = "error" in outcome ? [outcome.error, false] : [undefined, outcome.fromCache];
    const { startedAt, options } = request;
    const traced = { requestId, format: options.format, responseTimeMs, fromCache, error };
    traceCapture(traced, { startedAt, parts: clock.intervals() });
    reservation.settle();
    return id;
  });
}

/** The cache entry of a stored result, with its first reference, and the end of its lease. */
async function cacheItems(
  request: CaptureRequest,
  { stored, fromCache, lease }: Pick<Success, "stored" | "lease"> & { readonly fromCache: boolean },
  { ACTIVITY_TABLE, RESULTS_BUCKET }: CaptureResources,
): Promise<TransactionItem[]> {
  const { cache } = request;
  if (!cache || !stored || fromCache) return [];
  const { key, expires_at: expiresAt } = stored;
  const times = cacheExpiry(cache, expiresAt, Date.now());
  const capture = await packCapture(RESULTS_BUCKET, stored);
  // Only the result of a job can be deleted: that of a client that waits stays until it expires.
  const referrer = request.job && resultReferrer(request);
  const countedKey = referrer === undefined ? undefined : key;
  const entry = cacheWrite(ACTIVITY_TABLE, cache, { capture, countedKey, ...times });
  const cachedFacts = packedObject(capture);
  const result = { accountId: cache.accountId, key };
  return [
    { write: entry },
    ...(referrer === undefined
      ? []
      : [{ write: referenceWrites(ACTIVITY_TABLE, result, { referrer, cachedFacts, expiresAt }) }]),
    ...(lease ? [{ write: releaseUpdate(lease) }] : []),
  ];
}

/** The requests that wait fail with the same error, unless it is our fault: then the next one tries. */
function sharedFailureItems({ error, lease }: Failure): TransactionItem[] {
  if (!lease) return [];
  if (error.blame === "us") return [{ write: releaseUpdate(lease) }];
  return [{ write: completionUpdate(lease, { outcome: toSharedFailure(error), expiresAt: Date.now() }) }];
}

/** The end of the request's job, if it has one: nothing is recorded when another worker holds it by now. */
async function jobItems(request: CaptureRequest, end: CaptureEnd, env: CaptureResources): Promise<TransactionItem[]> {
  if (!request.job) return [];
  const { job, lease } = request.job;
  const ended = await jobOutcome(request, end, env);
  const update = finishWrite(env.ACTIVITY_TABLE, job, { holder: lease.holder, now: Date.now(), outcome: ended });
  return jobEndItems(job, update, env);
}

async function jobOutcome(
  request: CaptureRequest,
  { outcome, responseTimeMs }: CaptureEnd,
  { RESULTS_BUCKET }: CaptureResources,
): Promise<JobOutcome> {
  if ("error" in outcome) return failedJobOutcome(request.requestId, outcome.error, responseTimeMs);
  const { stored, fromCache } = outcome;
  if (!stored) throw new Error("The result of a job is always stored.");
  const { mime_type, size_bytes, expires_at } = stored;
  const packed = await packCapture(RESULTS_BUCKET, stored);
  const result = { mime_type, size_bytes, expires_at, stored: packed, cache_hash: request.cache?.key ?? null };
  return { status: "success", result, from_cache: fromCache, response_time_ms: responseTimeMs };
}

/** A failure of a job that ended no capture. */
export interface JobFailure {
  readonly error: ApiError;
  readonly responseTimeMs: number;
  /** The write that fails the job, on the condition that the caller may. */
  readonly update: (outcome: JobOutcome) => NonNullable<Write["Update"]>;
}

/** Records that a job failed. Throws `NotRecordedError` when another worker holds or has ended it. */
export async function recordJobFailure(
  job: Job,
  { error, responseTimeMs, update }: JobFailure,
  env: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<void> {
  const { id, request } = job;
  const items = jobEndItems(job, update(failedJobOutcome(id, error, responseTimeMs)), env);
  await writeLog(
    { ...request, requestId: id, responseTimeMs, phases: {}, isStoredByCustomer: false },
    { error },
    items,
    env,
  );
}

function failedJobOutcome(id: number, error: ApiError, responseTimeMs: number): JobOutcome {
  return { status: "failed", error: wellFormed(errorBody(error, id)), response_time_ms: responseTimeMs };
}

/** DynamoDB refuses lone surrogates, and an error may quote a page. */
function wellFormed(body: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (_, value) => (typeof value === "string" ? value.toWellFormed() : value)));
}

function jobEndItems(
  job: Job,
  update: NonNullable<Write["Update"]>,
  { USAGE_TABLE }: Pick<CaptureResources, "USAGE_TABLE">,
): TransactionItem[] {
  return [
    { write: { Update: update }, isRequired: true },
    ...releaseSlotWrites(USAGE_TABLE, job).map((write) => ({ write })),
  ];
}

interface EndedRequest extends LoggedRequest {
  readonly allowance: Allowance;
  readonly requestId: number;
  readonly responseTimeMs: number;
  /** Milliseconds by phase. */
  readonly phases: Readonly<Record<string, number>>;
  readonly isStoredByCustomer: boolean;
}

/** Writes the log with everything that belongs to it. Resolves to its id. */
async function writeLog(
  request: EndedRequest,
  outcome: Outcome,
  items: readonly TransactionItem[],
  env: Omit<CaptureResources, "RESULTS_BUCKET">,
): Promise<number> {
  const { allowance, requestId } = request;
  const isBilled = !("error" in outcome) && !outcome.fromCache;
  const settlement = (isBilled ? settleSuccess : settleFailure)(env.USAGE_TABLE, allowance);
  const id = await recordCapture(
    { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: env.USAGE_RETENTION_DAYS },
    {
      preferredId: requestId,
      attempt: allowance.attempt,
      event: createEvent(request, outcome),
      shard: chooseShard(plans[request.caller.account.plan], Math.random()),
      billedIncrements: settlement.billedIncrements,
    },
    [...settlement.items, ...items],
  );
  const [error, fromCache] = "error" in outcome ? [outcome.error, false] : [undefined, outcome.fromCache];
  const { format, responseTimeMs, phases, isStoredByCustomer } = request;
  emitCaptureMetrics({ requestId, format, responseTimeMs, fromCache, error, phases, isStoredByCustomer });
  return id;
}

function createEvent(
  { caller, url, options, format, source_ip, responseTimeMs, phases }: EndedRequest,
  outcome: Outcome,
): CaptureEvent {
  const { account, key } = caller;
  const details = captureDetails({ phases, url, ...("error" in outcome ? {} : successfulDetails(outcome)) });
  return {
    user_id: account.id,
    api_key_id: key.id,
    url,
    options,
    format,
    ip_address: source_ip,
    api_key: { id: key.id, label: key.label, key_prefix: key.key_prefix },
    response_time_ms: responseTimeMs,
    ...("error" in outcome ? failedEvent(outcome.error) : successfulEvent(outcome)),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

function successfulDetails({ page, stored }: Exclude<Outcome, { readonly error: ApiError }>) {
  const { warnings, finalUrl, metadata } = page;
  const result = stored && { key: stored.key, mime_type: stored.mime_type, expires_at: stored.expires_at };
  return { warnings, finalUrl, blocked: metadata.blocked, ...(result && { result }) };
}

type EventOutcome = Pick<CaptureEvent, "status" | "http_status_code" | "error_message" | "file_size_bytes" | "cached">;

/** A successful log has neither a status code nor a message: the contract says null. */
function successfulEvent({ sizeBytes, fromCache }: Exclude<Outcome, { readonly error: ApiError }>): EventOutcome {
  return {
    status: "success",
    http_status_code: null,
    error_message: null,
    file_size_bytes: sizeBytes,
    cached: fromCache,
  };
}

function failedEvent({ code, message, target }: ApiError): EventOutcome {
  return {
    status: "failed",
    http_status_code: target?.http_status_code ?? null,
    error_message: `${code}: ${message}`.toWellFormed(), // it may quote a page or a caller
    file_size_bytes: 0,
    cached: false,
  };
}
