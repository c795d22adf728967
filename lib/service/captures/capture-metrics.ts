// The metrics and the trace of a capture that has ended.
import { isInternal } from "../account/internal-account.ts";
import { GIGABYTE_SECOND_PRICE } from "../platform/compute-price.ts";
import { optionalVariable } from "../platform/environment.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { type Interval, traceWork } from "../platform/trace.ts";
import type { CaptureCommit } from "./capture-commit.ts";

let isColdStart = true;

/** Traces a capture with its phases, for stages that have traces. Times are milliseconds of `performance.now()`. */
export function traceCapture(
  { requestId, format, responseTimeMs, error, result }: CaptureCommit,
  { startedAt, parts }: { readonly startedAt: number; readonly parts: readonly Interval[] },
): void {
  traceWork({
    name: "capture",
    startedAt,
    endedAt: startedAt + responseTimeMs,
    annotations: {
      request_id: String(requestId),
      format,
      from_cache: result?.fromCache ?? false,
      ...(error && { code: error.code }),
    },
    failure: error && (error.blame === "us" ? "fault" : "error"),
    parts,
  });
}

/**
 * Milliseconds of the phases whose length no page decides, and no storage of a customer: how long a page loads, moves, and is
 * recorded is up to the code that made or requested it.
 */
export function serviceTime({
  phases,
  isStoredByCustomer,
}: Pick<CaptureCommit, "phases" | "isStoredByCustomer">): number {
  const { auth = 0, browser = 0, encode = 0, store = 0 } = phases;
  return auth + browser + encode + (isStoredByCustomer ? 0 : store);
}

/** Emits the metrics of a capture, as one line of the log. Those of the service itself are no captures of customers, and have a metric of their own. */
export function emitCaptureMetrics(commit: CaptureCommit): void {
  if (isInternal(commit.caller.account)) return;
  const { requestId, format, responseTimeMs, error, result, phases, group } = commit;
  const isOurs = error?.blame === "us";
  emitMetrics(
    {
      Captures: 1,
      CaptureFaults: isOurs ? 1 : 0,
      CaptureRejections: error && !isOurs ? 1 : 0,
      CacheHits: result?.fromCache ? 1 : 0,
      ColdStarts: isColdStart ? 1 : 0,
      ComputeCost: computeCost(commit),
      ...(result && !result.fromCache && { CaptureTime: responseTimeMs, ServiceTime: serviceTime(commit) }),
    },
    {
      request_id: requestId,
      group_id: group?.id,
      format,
      code: error?.code,
      blame: error?.blame,
      bytes: result?.sizeBytes,
      milliseconds: Math.round(responseTimeMs),
      ...phaseFields(phases),
    },
  );
  isColdStart = false;
}

/** The fields of a log line that say how long each phase took. */
export function phaseFields(phases: CaptureCommit["phases"]): Record<string, number> {
  return Object.fromEntries(Object.entries(phases).map(([phase, ms]) => [`${phase}_ms`, Math.round(ms)]));
}

/**
 * Dollars of this function and of the renderer that it waits for, about: for as long as the response takes. Captures of one request share
 * them.
 */
export function computeCost({
  responseTimeMs,
  result,
  group,
}: Pick<CaptureCommit, "responseTimeMs" | "result" | "group">): number {
  const ownMegabytes = optionalVariable("AWS_LAMBDA_FUNCTION_MEMORY_SIZE") ?? 0;
  const rendererMegabytes = result?.fromCache ? 0 : (optionalVariable("RENDERER_MEMORY_MB") ?? 0);
  const gigabytes = (ownMegabytes + rendererMegabytes) / 1024;
  return (gigabytes * (responseTimeMs / 1000) * GIGABYTE_SECOND_PRICE) / (group?.size ?? 1);
}

/** Emits how many requests of a page the egress proxy refused; nothing for most pages, which have none. */
export function emitEgressMetrics(requestId: number, refusals: number): void {
  if (refusals > 0) emitMetrics({ EgressRefusals: refusals }, { request_id: requestId });
}
