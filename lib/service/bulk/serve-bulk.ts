// Enqueues several captures, and describes their jobs in one response.
import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import { errorBody, toApiError } from "../../contract/errors/api-error.ts";
import { ErrorResponse } from "../../contract/errors/error-response.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { Caller } from "../account/account.ts";
import {
  type RequestedOutputs,
  requireNoFallback,
  requireNoValidation,
  requireStageSupport,
} from "../captures/parse.ts";
import { requireSigningKey } from "../captures/signing-key.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import type { RouteCall } from "../http/define-route.ts";
import { replayHeader, runIdempotent } from "../http/idempotency.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { DeepReadonly, ResponseBody } from "../http/response-fields.ts";
import { statusUrl } from "../jobs/accepted-response.ts";
import { describeJob } from "../jobs/describe-job.ts";
import { type EnqueueResources, reserveAndEnqueue } from "../jobs/enqueue.ts";
import { hasEnded } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import type { Environment } from "../platform/environment.ts";
import { createId } from "../platform/ids.ts";
import { logError } from "../platform/log.ts";
import { addHostToLogContext, withLogContext } from "../platform/log-context.ts";
import { supportAddress } from "../platform/operator-identity.ts";
import { isSessionCaller } from "../sessions/session.ts";
import { BULK_DEADLINE_S } from "./bulk-options.ts";
import { type BulkOptions, parseBulk } from "./parse-bulk.ts";
import type { BulkCaptures } from "./responses.ts";
import { startWaiting } from "./waiting-bulks.ts";

type BulkResources = EnqueueResources & Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL" | "MAX_WAITING_BULKS">;

/** Private origins to which webhooks may be sent. */
const allowed = allowedOrigins();

/** Parses the options of a bulk request. Throws `VALIDATION_ERROR`. */
export const parseCaptures = (rawOptions: unknown): BulkOptions => parseBulk(rawOptions, checkOptions);

/**
 * Enqueues all captures of a bulk, and waits for them with `execute`, unless as many bulk requests wait as may. Each one counts as
 * a request; one that is refused has its error in its place.
 *
 * With an `Idempotency-Key` the captures are enqueued once, unless all of them were refused. A repeated request waits for
 * the same jobs and describes their state then, so it does not depend on the first response, which may have been
 * interrupted.
 */
export async function captureBulk({
  request,
  caller,
  options: { requests, execute },
  env,
}: RouteCall<"capture", BulkOptions, keyof BulkResources>): Promise<ApiResponse<ResponseBody<typeof BulkCaptures>>> {
  let hasEnqueued = false;
  const run = async () => {
    const entries = await enqueueAll(request, { requests, caller }, env);
    hasEnqueued = entries.some((entry) => "job" in entry);
    return json(202, entries);
  };
  const idempotent = {
    request,
    accountId: caller.account.id,
    rawOptions: rawOptions(request),
    run,
    hasEffect: () => hasEnqueued,
  };
  const { body, headers } = await runIdempotent(idempotent, env);
  const entries = v.parse(EntriesSchema, JSON.parse(String(body)));
  const hasWaited = execute && (await waitIfPossible(entries, request, env));
  const data = await Promise.all(entries.map((entry) => describeEntry(entry, env)));
  return json(hasWaited ? 200 : 202, { data }, replayHeader(headers));
}

/** Waits until all jobs have ended or the time is up. Resolves to false, without a wait, when too many requests wait. */
async function waitIfPossible(
  entries: readonly Entry[],
  { receivedAt, afterResponse }: ApiRequest,
  env: BulkResources,
): Promise<boolean> {
  if (!entries.some((entry) => "job" in entry)) return true;
  const waiting = await startWaiting(Date.now(), env);
  if (!waiting) return false;
  afterResponse(() => waiting.release(), "waiting bulk not released");
  await waitUntilEnded(entries, receivedAt + MAX_WAIT_MS, env);
  return true;
}

async function enqueueAll(
  request: ApiRequest,
  { requests, caller }: { readonly requests: readonly RequestedOutputs[]; readonly caller: Caller },
  env: BulkResources,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  // One after the other: when a limit does not allow all of them, the last ones are refused.
  for (const bulkRequest of requests) {
    const capture = { ...bulkRequest, caller, isFirst: entries.length === 0 };
    entries.push(await withLogContext({}, () => enqueueOne(request, capture, env)));
  }
  return entries;
}

/** Captures that have not ended by then are described as they are, in good time before the function ends. */
const MAX_WAIT_MS = (BULK_DEADLINE_S - 25) * 1000;

const checkOptions = (options: CaptureOptions) => {
  requireNoFallback(options);
  requireNoValidation(options);
  requireStageSupport(options, allowed);
};

/** For each capture its job, or the error with which it was refused. */
const EntriesSchema = v.array(
  v.union([
    v.object({ job: v.object({ account_id: v.number(), id: v.number() }) }),
    v.object({ error: ErrorResponse }),
  ]),
);
type Entry = DeepReadonly<v.InferOutput<typeof EntriesSchema>>[number];

interface BulkCapture extends RequestedOutputs {
  readonly caller: Caller;
  /** The bulk request itself was counted for the first capture, unless it has a session: that has a limit of its own. */
  readonly isFirst: boolean;
}

async function enqueueOne(
  request: ApiRequest,
  { isFirst, ...capture }: BulkCapture,
  env: BulkResources,
): Promise<Entry> {
  const { caller, outputs } = capture;
  const [{ options }] = outputs;
  const requestId = createId(Date.now(), Math.random());
  addHostToLogContext(options.url);
  try {
    const cost = outputs.length - (isFirst && !isSessionCaller(caller) ? 1 : 0);
    if (cost > 0) await enforceRateLimit(request, caller, env, cost);
    requireSigningKey(caller, options);
    const { receivedAt, sourceIp } = request;
    const { account_id, id } = await reserveAndEnqueue(capture, { caller, requestId, sourceIp, receivedAt }, env);
    return { job: { account_id, id } };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.blame === "us") logError("request failed", error, { request_id: requestId });
    return { error: errorBody(error, requestId, supportAddress()) };
  }
}

/** Resolves when all jobs have ended, or at `until` in milliseconds since 1970. Polls one job at a time. */
async function waitUntilEnded(
  entries: readonly Entry[],
  until: number,
  { ACTIVITY_TABLE }: EnqueueResources,
): Promise<void> {
  for (const entry of entries) {
    if ("error" in entry) continue;
    const isRunning = async () => {
      const job = await findJob(ACTIVITY_TABLE, entry.job, Date.now());
      return job !== undefined && !hasEnded(job);
    };
    while (Date.now() < until && (await isRunning())) await setTimeout(POLL_MS);
  }
}

const POLL_MS = 200;

async function describeEntry(
  entry: Entry,
  env: BulkResources,
): Promise<ResponseBody<typeof BulkCaptures>["data"][number]> {
  if ("error" in entry) return { status: "refused", error: entry.error };
  const now = Date.now();
  const job = await findJob(env.ACTIVITY_TABLE, entry.job, now);
  if (!job) throw new Error(`There is no job ${entry.job.id} of account ${entry.job.account_id}.`);
  const { request_id, status, ...state } = await describeJob(job, env, { now });
  return { request_id, status, status_url: statusUrl(job, env), ...state };
}
