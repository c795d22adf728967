// Creates the captures of a request with `outputs`: all from the cache, or all of one visit of the page.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import type { CachedCapture } from "../captures/cache-lookup.ts";
import type { CaptureRequest, CaptureResources } from "../captures/capture-request.ts";
import { wantsThumbnail } from "../captures/capture-thumbnail.ts";
import { endCapture } from "../captures/commit.ts";
import { respondFromCache } from "../captures/create-capture.ts";
import { heartbeat } from "../captures/lease-store.ts";
import { endRendered, type KeptCapture, keepCapture, type RenderedCapture } from "../captures/render.ts";
import { type SaveToCustomerStorage, saveToCustomerStorage } from "../captures/store-result.ts";
import type { FollowingWork } from "../http/after-response.ts";
import { logError } from "../platform/log.ts";
import type { RenderedOutput, RenderedOutputs, Renderer } from "../rendering/renderer.ts";
import type { OutputRequest, OutputsRequest } from "./output-request.ts";
import { acquireAllCached, endOutputsFlight, joinOutputsFlight, type OutputsFlight } from "./outputs-flight.ts";
import { requireAllQuota } from "./outputs-quota.ts";

/** An output that has ended: with a result, which is billed unless it is cached, or with an error, which is free. */
export type EndedOutput = OutputRequest &
  ({ readonly result: RenderedCapture } | { readonly error: ApiError; readonly requestId: number });

export interface CreatedOutputs {
  /** How often the page was loaded; 0 for cached results. */
  readonly loads: number;
  readonly fromCache: boolean;
  /** In the order of the request. */
  readonly outputs: readonly EndedOutput[];
}

export interface CreationParts {
  readonly renderer: Renderer;
  readonly afterResponse: FollowingWork["afterResponse"];
}

/**
 * Answers a request from the cache, or captures its outputs, and records each of them. Throws `QUOTA_EXCEEDED` when there isn't quota
 * for all, and the error of a storage that is refused before the page is loaded. An output that fails has its error in its place. In a
 * job, one that fails because of the service isn't recorded: its error is thrown once the others are, and the job tries it again.
 */
export async function createOutputs(
  request: Pick<OutputsRequest, "outputs" | "cached">,
  { renderer, afterResponse }: CreationParts,
  env: CaptureResources,
): Promise<CreatedOutputs> {
  const { outputs, cached } = request;
  const hits = await acquireAllCached(outputs, cached, env);
  if (hits) return respondAllFromCache(outputs, hits, env);
  let flight: OutputsFlight;
  try {
    flight = await joinOutputsFlight(outputs, env);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || outputs[0]?.capture.job) throw thrown;
    const outcomes = outputs.map((output) => ({ output, error: thrown }));
    return { loads: 0, fromCache: false, outputs: await endAll({ loads: 0, outcomes }, afterResponse, env) };
  }
  if ("cached" in flight) return respondAllFromCache(outputs, flight.cached, env);
  const { lease } = flight;
  using _ = lease && heartbeat(lease);
  let isCached = false;
  try {
    requireAllQuota(outputs);
    outputs[0]?.capture.job?.cancellation.throwIfAborted();
    const captured = await captureAll(outputs, renderer, env);
    const ended = await endAll(captured, afterResponse, env);
    isCached = ended.every((output) => "result" in output);
    return { loads: captured.loads, fromCache: false, outputs: ended };
  } finally {
    await endOutputsFlight(lease, isCached);
  }
}

/** Records the outputs. Results are cached as a whole. Throws a fault of ours in a job once the other outputs are recorded. */
async function endAll(
  { loads, outcomes }: CapturedAll,
  afterResponse: FollowingWork["afterResponse"],
  env: CaptureResources,
): Promise<readonly EndedOutput[]> {
  const isComplete = outcomes.every((outcome) => "kept" in outcome);
  const outputs: EndedOutput[] = [];
  let fault: ApiError | undefined;
  for (const { output, ...outcome } of outcomes) {
    const { capture } = output;
    capture.job?.cancellation.throwIfAborted();
    if (capture.job && "error" in outcome && outcome.error.blame === "us") {
      fault = outcome.error;
      continue;
    }
    // One after the other, since they count in the same items.
    const request = { ...capture, cache: isComplete ? capture.cache : undefined, job: withLoads(capture.job, loads) };
    outputs.push({ ...output, ...(await end(outcome, { request, afterResponse }, env)) });
  }
  if (fault) throw fault;
  return outputs;
}

/** The job with the loads that this attempt adds. */
function withLoads(job: CaptureRequest["job"], loads: number): CaptureRequest["job"] {
  return job?.output && { ...job, output: { ...job.output, loads: job.output.loads + loads } };
}

async function respondAllFromCache(
  outputs: readonly OutputRequest[],
  hits: readonly CachedCapture[],
  env: CaptureResources,
): Promise<CreatedOutputs> {
  const ended: EndedOutput[] = [];
  for (const [index, output] of outputs.entries()) {
    const hit = hits[index];
    if (hit) ended.push({ ...output, result: await respondFromCache(output.capture, hit, env) });
  }
  return { loads: 0, fromCache: true, outputs: ended };
}

type Outcome = { readonly kept: KeptCapture } | { readonly error: ApiError };

interface CapturedAll {
  readonly loads: number;
  readonly outcomes: readonly (Outcome & { readonly output: OutputRequest })[];
}

/**
 * Captures the outputs, and stores each wherever it is wanted. Records nothing. Throws what fails as a whole in a job, which is tried
 * again.
 */
async function captureAll(
  outputs: readonly OutputRequest[],
  renderer: Renderer,
  env: CaptureResources,
): Promise<CapturedAll> {
  // Refuses an address before anything is rendered.
  const saves = new Map(outputs.map((output) => [output.name, saveToCustomerStorage(output.capture)]));
  try {
    const { loads, outputs: captured } = await capturePage(outputs, renderer);
    const byName = new Map(captured.map((outcome) => [outcome.name, outcome]));
    const storing = outputs.map(async (output) => {
      const save = saves.get(output.name);
      const outcome = await keep(byName.get(output.name), { request: output.capture, save }, env);
      return { output, ...outcome };
    });
    return { loads, outcomes: await Promise.all(storing) };
  } catch (thrown) {
    if (outputs[0]?.capture.job) throw thrown;
    const error = internalError(thrown);
    logError("outputs failed", error, { request_id: outputs[0]?.capture.requestId });
    return { loads: 0, outcomes: outputs.map((output) => ({ output, error })) };
  }
}

function capturePage(outputs: readonly OutputRequest[], renderer: Renderer): Promise<RenderedOutputs> {
  const requested = outputs.map(({ name, capture }) => ({
    name,
    options: engineOptions(capture.options),
    thumbnail: wantsThumbnail(capture),
  }));
  const [first] = outputs;
  if (!first) throw new Error("There are no outputs.");
  const tenantId = String(first.capture.caller.account.id);
  return renderer.captureOutputs(requested, { ...first.capture, tenantId });
}

async function keep(
  outcome: RenderedOutput | undefined,
  parts: { readonly request: CaptureRequest; readonly save: SaveToCustomerStorage | undefined },
  env: CaptureResources,
): Promise<Outcome> {
  if (!outcome) throw new Error("An output has no outcome.");
  if ("error" in outcome) return outcome;
  try {
    const kept = await keepCapture(outcome.capture, parts, env);
    return { kept: withPages(kept) };
  } catch (thrown) {
    if (thrown instanceof ApiError) return { error: thrown };
    const error = internalError(thrown);
    logError("output not stored", error, { request_id: parts.request.requestId });
    return { error };
  }
}

/** A stored PDF has its number of pages, which the response states. */
function withPages({ rendered, result }: KeptCapture): KeptCapture {
  const { stored } = result;
  if (rendered.format !== "pdf" || !stored) return { rendered, result };
  return { rendered, result: { ...result, stored: { ...stored, pages: rendered.pages } } };
}

/** Records an output. One that cannot be recorded isn't billed, and has an error in its place; in a job, this throws. */
async function end(
  outcome: Outcome,
  parts: { readonly request: CaptureRequest; readonly afterResponse: FollowingWork["afterResponse"] },
  env: CaptureResources,
): Promise<{ readonly result: RenderedCapture } | { readonly error: ApiError; readonly requestId: number }> {
  const { request } = parts;
  try {
    if ("kept" in outcome) return { result: await endRendered(outcome.kept, parts, env) };
    return { error: outcome.error, requestId: await endCapture(request, outcome, env) };
  } catch (thrown) {
    if (request.job) throw thrown;
    const error = internalError(thrown);
    logError("output not recorded", error, { request_id: request.requestId });
    return { error, requestId: request.requestId };
  }
}
