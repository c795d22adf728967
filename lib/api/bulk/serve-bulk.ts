// A request for several captures: all taken in the background, and told in one answer.
import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import type { Caller } from "../../accounts/account.ts";
import { admitFurther } from "../../captures/capture-admission.ts";
import { type EnqueueResources, enqueueCapture, statusUrl } from "../../captures/enqueue-capture.ts";
import { replayHeader, runOnce } from "../../captures/idempotency.ts";
import type { AllowedOrigins } from "../../egress/egress-policy.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { ApiError, errorBody, internalError } from "../../errors/api-error.ts";
import { ErrorResponse } from "../../errors/error-response.ts";
import { hasEnded } from "../../jobs/job.ts";
import { findJob } from "../../jobs/job-store.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import type { DeepReadonly } from "../../platform/deep-readonly.ts";
import type { Environment } from "../../platform/environment.ts";
import { createId } from "../../platform/ids.ts";
import { logError } from "../../platform/log.ts";
import { requireWebhookAddress } from "../../webhooks/webhook-address.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import { describeJob } from "../jobs/describe-job.ts";
import type { ResponseBody } from "../response-fields.ts";
import { BULK_TIMEOUT_S, type BulkRequest, parseBulk } from "./bulk-options.ts";
import type { BulkCaptures } from "./responses.ts";

export interface BulkResources {
  readonly places: EnqueueResources & Pick<Environment, "ACCOUNTS_TABLE">;
  /** Where webhooks may go although it is not the public internet. */
  readonly allowed: AllowedOrigins;
}

/**
 * Asks for all captures of a bulk, and with `execute` waits until they are over. Each one counts as a request, and one
 * that is refused is told so in its place. Throws `VALIDATION_ERROR`, before anything is asked for, when one is wrong.
 *
 * With an `Idempotency-Key` the captures are asked for once, unless all of them were refused. A request that is repeated
 * waits for the same captures and tells their state, so that it needs no answer of the first one, which may have been
 * interrupted while it waited.
 */
export async function serveBulk(
  request: ApiRequest,
  { places, allowed }: BulkResources,
): Promise<ApiResponse<ResponseBody<typeof BulkCaptures>>> {
  const caller = await authorize(request, "capture", places);
  const accountId = caller.account.id;
  const sent = rawOptions(request);
  const { requests, execute } = parseBulk(sent, checkWebhook(allowed));
  let hasMade = false;
  const serve = async () => {
    const asked = await askForAll(request, { requests, caller }, places);
    hasMade = asked.some((entry) => "job" in entry);
    return json(202, asked);
  };
  const { body, headers } = await runOnce({ request, accountId, sent, serve, hasMade: () => hasMade }, places);
  const entries = v.parse(EntriesSchema, JSON.parse(String(body)));
  if (execute) await untilOver(entries, request.receivedAt + PATIENCE_MS, places);
  const data = await Promise.all(entries.map((entry) => describe(entry, places)));
  return json(execute ? 200 : 202, { data }, replayHeader(headers));
}

async function askForAll(
  request: ApiRequest,
  { requests, caller }: { readonly requests: readonly BulkRequest[]; readonly caller: Caller },
  places: BulkResources["places"],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  // One after the other: when not all of them are possible, it is the last ones that are refused.
  for (const bulkRequest of requests) {
    entries.push(await ask(request, { ...bulkRequest, caller, isFirst: entries.length === 0 }, places));
  }
  return entries;
}

/** Captures that are still under way by then are told as they are, in good time before the function ends. */
const PATIENCE_MS = (BULK_TIMEOUT_S - 25) * 1000;

const checkWebhook =
  (allowed: AllowedOrigins) =>
  ({ webhook_url }: CaptureOptions) => {
    if (webhook_url !== undefined) requireWebhookAddress(webhook_url, allowed);
  };

/** What became of asking for each capture. */
const EntriesSchema = v.array(
  v.union([
    v.object({ job: v.object({ account_id: v.number(), id: v.number() }) }),
    v.object({ error: ErrorResponse }),
  ]),
);
type Entry = DeepReadonly<v.InferOutput<typeof EntriesSchema>>[number];

interface Wanted extends BulkRequest {
  readonly caller: Caller;
  /** The bulk itself is counted as the request for the first one. */
  readonly isFirst: boolean;
}

async function ask(request: ApiRequest, wanted: Wanted, places: BulkResources["places"]): Promise<Entry> {
  const { options, sent, isFirst } = wanted;
  const requestId = createId(Date.now(), Math.random());
  try {
    const admitted = await admitFurther(request, { ...wanted, isCounted: isFirst }, places);
    const order = { ...request, ...admitted, options, sent, requestId, clock: new PhaseClock() };
    const { account_id, id } = await enqueueCapture(order, places);
    return { job: { account_id, id } };
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    if (error.blame === "us") logError("request failed", error, { request_id: requestId });
    return { error: errorBody(error, requestId) };
  }
}

/** Resolves when all of them are over, or at `until`, in milliseconds since 1970. Looks at one of them at a time. */
async function untilOver(
  entries: readonly Entry[],
  until: number,
  { ACTIVITY_TABLE }: EnqueueResources,
): Promise<void> {
  for (const entry of entries) {
    if ("error" in entry) continue;
    const isUnderWay = async () => {
      const job = await findJob(ACTIVITY_TABLE, entry.job, Date.now());
      return job !== undefined && !hasEnded(job);
    };
    while (Date.now() < until && (await isUnderWay())) await setTimeout(POLL_MS);
  }
}

const POLL_MS = 200;

async function describe(
  entry: Entry,
  places: BulkResources["places"],
): Promise<ResponseBody<typeof BulkCaptures>["data"][number]> {
  if ("error" in entry) return { status: "refused", error: entry.error };
  const now = Date.now();
  const job = await findJob(places.ACTIVITY_TABLE, entry.job, now);
  if (!job) throw new Error(`There is no job ${entry.job.id} of account ${entry.job.account_id}.`);
  const { request_id, status, ...state } = await describeJob(job, places, now);
  return { request_id, status, status_url: statusUrl(job, places), ...state };
}
