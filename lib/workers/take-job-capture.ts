// The capture of a job that its function holds.
import { cachePlan } from "../captures/cache-plan.ts";
import { captureThroughCache, findCapture } from "../captures/cached-capture.ts";
import type { CaptureEnd, CaptureRequest, CaptureResources } from "../captures/render-capture.ts";
import type { StartBrowser } from "../engine/browser/browser-launcher.ts";
import { browserUseFor } from "../engine/browser/browser-use.ts";
import { PhaseClock } from "../engine/pipeline/phase-clock.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Job } from "../jobs/job.ts";
import { type JobMessage, parseRawOptions, type RawOptions } from "../jobs/job-queue.ts";
import { finishWrite, type JobOutcome, type Lease } from "../jobs/job-writes.ts";
import { type CaptureOptions, parseCaptureOptions } from "../options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";
import { DEFAULT_LIFETIME_S } from "../results/expiry.ts";
import { getResult } from "../results/result-store.ts";
import { jobTransactionItems, recordFailure } from "./record-job.ts";

export interface Rendering {
  /** Begins a browser once what it is given resolves. */
  readonly begin: StartBrowser;
  readonly places: CaptureResources & Pick<Environment, "WEBHOOK_QUEUE_URL">;
  /** How long a job is held without a heartbeat. @default 40,000 */
  readonly leaseMs?: number;
}

export interface HeldJob {
  readonly job: Job;
  readonly lease: Lease;
  readonly message: JobMessage;
}

/**
 * Takes the capture, or finds it in the cache, and ends the job with it: it succeeds, or fails by a fault of the caller's
 * or of the page. Throws for a fault of ours, which does not end it, and `NotRecorded` when somebody else did meanwhile.
 */
export async function renderJobCapture(held: HeldJob, rendering: Rendering): Promise<void> {
  const sent = await sentOptions(held.message, rendering.places);
  const options = readOptions(sent);
  if (options instanceof ApiError) await failUnread(held, options, rendering);
  else await takeWith(options, sent, held, rendering);
}

async function sentOptions({ options }: JobMessage, { RESULTS_BUCKET }: CaptureResources): Promise<RawOptions> {
  if ("inline" in options) return options.inline;
  const json = await getResult(RESULTS_BUCKET, options.object);
  if (!json) throw new Error("The options of the job are missing.");
  return parseRawOptions(json.toString());
}

/** They were read when the job was accepted, by a version of the service that may have been another. */
function readOptions(sent: RawOptions): CaptureOptions | ApiError {
  try {
    return parseCaptureOptions(sent);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

async function failUnread({ job, lease: { holder } }: HeldJob, error: ApiError, { places }: Rendering): Promise<void> {
  const update = (outcome: JobOutcome) => finishWrite(places.ACTIVITY_TABLE, job, { holder, now: Date.now(), outcome });
  await recordFailure(job, { error, responseTimeMs: 0, update }, places);
}

async function takeWith(options: CaptureOptions, sent: RawOptions, held: HeldJob, rendering: Rendering): Promise<void> {
  const { job } = held;
  const { begin, places } = rendering;
  const { caller, allowance, source_ip: sourceIp } = job.request;
  const facts = { caller, allowance, refusal: undefined, sourceIp, requestId: job.id };
  const order: CaptureRequest = { ...facts, options, sent, startedAt: performance.now(), clock: new PhaseClock() };
  const plan = cachePlan(options, job.account_id);
  const search = { plan, accountId: job.account_id, withBody: false };
  await using begun = new AsyncDisposableStack();
  const how = {
    ...search,
    found: await findCapture(search, places),
    browser: () => begun.use(begin(Promise.resolve(browserUseFor(options)))),
    keptSeconds: DEFAULT_LIFETIME_S,
    referrer: job.id,
    companions: (end: CaptureEnd) => jobTransactionItems(held, { end, cacheHash: plan?.hash }, places),
    isRetried: isOurs,
  };
  try {
    await captureThroughCache(order, how, places);
  } catch (error) {
    if (!(error instanceof ApiError) || isOurs(error)) throw error;
  }
}

function isOurs({ blame }: ApiError): boolean {
  return blame === "us";
}
