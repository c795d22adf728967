// Creates the captures of a request: from the cache, from the same captures in flight, or by rendering them; then records each.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import { isSuspended } from "../account/suspended-error.ts";
import { requireQuotaForAll } from "../billing/quota-reservation.ts";
import type { FollowingWork } from "../http/after-response.ts";
import { logError } from "../platform/log.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { objectKeys, type StoredCapture } from "../results/stored-capture.ts";
import { NotRecordedError } from "../usage/usage-store.ts";
import { acquireAllCached, type CachedCapture } from "./cache-lookup.ts";
import type { CommittedResult } from "./capture-commit.ts";
import { type CaptureRequest, type CaptureResources, type ClaimedJob, elapsedMs } from "./capture-request.ts";
import { planThumbnail, storeThumbnail, wantsThumbnail } from "./capture-thumbnail.ts";
import { commitOutcome } from "./commit.ts";
import { type FlightCommit, type FlightLead, joinFlight } from "./flight.ts";
import { type CompletedCapture, failAll, type RenderedCaptures, type RenderOutcome, renderCaptures } from "./render.ts";
import type { CommittedCapture, CreatedCaptures, RenderedCapture } from "./rendered-capture.ts";
import { requireSendable } from "./response-size.ts";

/** The captures of a request, of one page. */
export interface RequestedCaptures {
  /** In the order of the request. */
  readonly captures: readonly CaptureRequest[];
  /** The cached results that may answer it, if all captures have one. */
  readonly cached: readonly CachedCapture[] | undefined;
}

export interface CreationParts {
  readonly renderer: Renderer;
  readonly afterResponse: FollowingWork["afterResponse"];
}

/**
 * Answers a request from the cache, or renders its captures, and records each of them. One that fails has its error in its place. Throws
 * `QUOTA_EXCEEDED` when there isn't quota for all that have to be rendered. In a job, a capture that fails because of the service isn't
 * recorded: its error is thrown once the others are, and the job tries it again.
 */
export async function createCaptures(
  { captures, cached }: RequestedCaptures,
  { renderer, afterResponse }: CreationParts,
  env: CaptureResources,
): Promise<CreatedCaptures> {
  const hits = await acquireAllCached(captures, cached, env);
  if (hits) return commitAllCached(captures, hits, env);
  let flight: Awaited<ReturnType<typeof joinFlight>>;
  try {
    flight = await joinFlight(captures, env);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return commitAll(failAll(captures, error), { afterResponse, lead: undefined }, env);
  }
  if ("cached" in flight) return commitAllCached(captures, flight.cached, env);
  await using lead = flight.lead;
  requireQuotaForAll(captures);
  captures[0]?.job?.cancellation.throwIfAborted();
  const rendered = await renderCaptures(captures, renderer, env);
  return await commitAll(rendered, { afterResponse, lead }, env);
}

/** Commits cache hits, which are free. */
async function commitAllCached(
  captures: readonly CaptureRequest[],
  hits: readonly CachedCapture[],
  env: CaptureResources,
): Promise<CreatedCaptures> {
  const committed: CommittedCapture[] = [];
  for (const [index, capture] of captures.entries()) {
    const hit = hits[index];
    if (!hit) throw new Error("A capture has no cached result.");
    const job = jobAfter(capture.job, { loads: 0, isLast: index === captures.length - 1 });
    committed.push(await commitCached({ ...capture, job }, hit, env));
  }
  return { loads: 0, fromCache: true, captures: committed };
}

/** Commits a cache hit, or the failure `RESULT_TOO_LARGE` of one whose base64 text cannot be sent. */
async function commitCached(
  request: CaptureRequest,
  { stored, freshUntil, staleSince, body }: CachedCapture,
  env: CaptureResources,
): Promise<CommittedCapture> {
  const { format, mime_type: mimeType, final_url: finalUrl, status_code: statusCode } = stored;
  const { warnings, problems = [], quality = 100, metadata, size_bytes: sizeBytes } = stored;
  try {
    requireSendable(request, sizeBytes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { capture: request, error, requestId: await commitOutcome(request, { error }, env) };
  }
  const page = { warnings, problems, finalUrl, metadata };
  const thumbnail = wantsThumbnail(request) ? stored.thumbnail : undefined; // of the capture that made the result
  const committed = { stored, sizeBytes, fromCache: true, report: stored.report, thumbnail, page };
  let requestId: number;
  try {
    requestId = await commitOutcome(request, { result: committed }, env);
  } catch (error) {
    if (!isSuspended(error)) throw error;
    return { capture: request, error, requestId: await commitOutcome(request, { error }, env) };
  }
  const facts = { format, mimeType, statusCode, ...page, quality, sizeBytes, body, stored };
  const times = { responseTimeMs: elapsedMs(request), fromCache: true, freshUntil, staleSince };
  return { capture: request, result: { ...facts, requestId, ...times } };
}

interface CommitParts {
  readonly afterResponse: FollowingWork["afterResponse"];
  /** Undefined where no other request waits. */
  readonly lead: FlightLead | undefined;
}

/** Commits the captures. Their results are cached as a whole. Throws a fault of ours in a job once the other captures are committed. */
async function commitAll(
  { loads, outcomes }: RenderedCaptures,
  { afterResponse, lead }: CommitParts,
  env: CaptureResources,
): Promise<CreatedCaptures> {
  const isComplete = outcomes.every((outcome) => "completed" in outcome);
  const faults = outcomes.flatMap((outcome) => (isFaultOfJob(outcome) ? [outcome.error] : []));
  const committable = outcomes.filter((outcome) => !isFaultOfJob(outcome));
  const committed: CommittedCapture[] = [];
  for (const [index, { capture, ...outcome }] of committable.entries()) {
    if (capture.job?.cancellation.aborted) {
      await Promise.all(
        committable.slice(index).map((each) => "completed" in each && discard(each.completed.result.stored, env)),
      );
      throw capture.job.cancellation.reason;
    }
    const isLast = index === committable.length - 1;
    const job = jobAfter(capture.job, { loads, isLast: isLast && faults.length === 0 });
    const request = { ...capture, cache: isComplete ? capture.cache : undefined, job };
    // One after the other, since they count in the same items.
    const parts = { request, afterResponse, flight: isLast ? lead?.prepareCommit(outcomes) : undefined };
    committed.push({ capture, ...(await commitOne(outcome, parts, env)) });
  }
  const [fault] = faults;
  if (fault) throw fault;
  return { loads, fromCache: false, captures: committed };
}

/** True for a failure of the service that a job tries again. */
function isFaultOfJob(outcome: RenderOutcome): outcome is Extract<RenderOutcome, { readonly error: ApiError }> {
  return outcome.capture.job !== undefined && "error" in outcome && outcome.error.blame === "us";
}

/** The job with the loads that this attempt adds; it ends with the last capture. */
function jobAfter(
  job: ClaimedJob | undefined,
  { loads, isLast }: { readonly loads: number; readonly isLast: boolean },
): ClaimedJob | undefined {
  return job && { ...job, output: { ...job.output, loads: job.output.loads + loads, endsJob: isLast } };
}

interface CommitOneParts {
  readonly request: CaptureRequest;
  readonly afterResponse: FollowingWork["afterResponse"];
  readonly flight: FlightCommit | undefined;
}

type CommitResult = { readonly result: RenderedCapture } | { readonly error: ApiError; readonly requestId: number };

/**
 * Commits a capture. One that cannot be recorded isn't billed, and has an error in its place; in a job, this throws. That of an account
 * which was suspended meanwhile is recorded as a failure.
 */
async function commitOne(
  outcome: { readonly completed: CompletedCapture } | { readonly error: ApiError },
  parts: CommitOneParts,
  env: CaptureResources,
): Promise<CommitResult> {
  const { request, flight } = parts;
  try {
    if ("completed" in outcome) return { result: await commitRendered(outcome.completed, parts, env) };
    return { error: outcome.error, requestId: await commitOutcome(request, { ...outcome, flight }, env) };
  } catch (thrown) {
    if (isSuspended(thrown)) return { error: thrown, requestId: await commitOutcome(request, { error: thrown }, env) };
    if (request.job) throw thrown;
    return { error: internalError(thrown), requestId: request.requestId };
  }
}

/** Commits a capture that succeeded; its thumbnail follows the response. */
async function commitRendered(
  { rendered, result }: CompletedCapture,
  { request, afterResponse, flight }: CommitOneParts,
  env: CaptureResources,
): Promise<RenderedCapture> {
  const sizeBytes = rendered.body.length;
  const { report, ...delivered } = result;
  const planned = planThumbnail(rendered, Date.now());
  const thumbnail = planned?.place;
  const stored = delivered.stored && { ...delivered.stored, ...(thumbnail && { thumbnail }) };
  const committed: CommittedResult = { stored, sizeBytes, fromCache: false, report, thumbnail, page: rendered };
  let requestId: number;
  try {
    requestId = await commitOutcome(request, { result: committed, flight }, env);
  } catch (error) {
    // Another worker, or no one any more, has the job, or the account is suspended. The thumbnail is only stored once the capture is
    // recorded. A function that serves requests may delete nothing: there is no link to what it has stored, which expires.
    const isRefused = error instanceof NotRecordedError || isSuspended(error);
    if (isRefused && request.job) await discard(delivered.stored, env);
    throw error;
  }
  if (planned) afterResponse(() => storeThumbnail(env.RESULTS_BUCKET, planned), "thumbnail not stored");
  const facts = { requestId, responseTimeMs: elapsedMs(request), fromCache: false, staleSince: undefined, sizeBytes };
  const { format, mimeType, finalUrl, statusCode, warnings, problems, quality, metadata } = rendered;
  const stated = { format, mimeType, finalUrl, statusCode, warnings, problems, quality, metadata };
  return { ...stated, ...facts, ...delivered, stored };
}

/** Deletes what was stored of a capture to which nothing refers. Never rejects: the objects expire. */
async function discard(stored: StoredCapture | undefined, { RESULTS_BUCKET }: CaptureResources): Promise<void> {
  if (!stored) return;
  const { deleteResult } = await import("../results/result-store.ts");
  const deletions = objectKeys(stored).map((key) => deleteResult(RESULTS_BUCKET, key));
  await Promise.all(deletions).catch((error) => logError("unrecorded result not deleted", error, { key: stored.key }));
}
