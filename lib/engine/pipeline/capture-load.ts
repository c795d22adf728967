// Captures the outputs of one load of a page: attempted again as `retry_on` and `self_repair` say, and judged by the rules of the caller.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { CaptureReport } from "../../contract/problems/capture-report.ts";
import { browserUseFor } from "../browser/browser-use.ts";
import { buildReport } from "../formats/report/build-report.ts";
import type { AttemptReport } from "../formats/report/describe-attempt.ts";
import type { LoadContext } from "./capture-context.ts";
import { captureInBrowsers, type LoadOptions } from "./capture-in-browsers.ts";
import type { Capture } from "./capture-output.ts";
import { assertRules } from "./content-rules.ts";
import { pause } from "./retry-on.ts";
import { betterCapture, fixesFor } from "./self-repair.ts";

/** The capture of an output, or the error with which a capture of it alone fails. */
export type CaptureOutcome = { readonly capture: Capture } | { readonly error: ApiError };

/** The outcomes of the first outputs of a load. The outputs that follow them need another load. */
export type LoadOutcomes = readonly [CaptureOutcome, ...CaptureOutcome[]];

/**
 * Captures the outputs that share a load, until the first one succeeds or `retry_on` allows no further attempt. If the last attempt had too
 * little time, its error is that of the attempt before, which says what is wrong with the page. Throws only what is no `ApiError`.
 */
export async function captureLoad(load: LoadOptions, context: LoadContext): Promise<LoadOutcomes> {
  const { browser, startedAt, clock, loadAttempts } = context;
  const [options] = load;
  const failed: LoadAttempt[] = [];
  let attemptContext = context;
  let last: ApiError | undefined;
  for (;;) {
    const made = { reason: last?.code ?? "requested", startedAt: last ? performance.now() : startedAt, options: {} };
    const outcomes = await attemptLoad(load, attemptContext, { made, failed });
    const [first] = outcomes;
    if ("capture" in first) return outcomes;
    const { error } = first;
    if (last && error.code === "CAPTURE_TIMEOUT") return [{ error: last }];
    const leftMs = startedAt + options.timeout * 1000 - performance.now();
    const pauseMs = loadAttempts.next(error, options, leftMs);
    if (pauseMs === undefined) return outcomes;
    failed.push({ ...made, endedAt: performance.now(), capture: undefined });
    last = error;
    await clock.measure("navigate", () => pause(pauseMs), { name: "pause-before-retry" });
    attemptContext = { ...context, browser: { ...browser, first: browser.launch(browserUseFor(options)) } };
  }
}

/** An attempt at a load, as the report of its first output describes it. */
interface LoadAttempt {
  readonly reason: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Undefined for one that failed. */
  readonly capture: Capture | undefined;
  /** The options that were added. */
  readonly options: Readonly<Record<string, unknown>>;
}

interface LoadAttemptFacts {
  readonly made: Pick<LoadAttempt, "reason" | "startedAt" | "options">;
  /** The attempts before. */
  readonly failed: readonly LoadAttempt[];
}

/** One attempt at a load, and the repair of its first output: an output that may be repaired shares its load with no other. */
async function attemptLoad(
  load: LoadOptions,
  context: LoadContext,
  { made, failed }: LoadAttemptFacts,
): Promise<LoadOutcomes> {
  const [options, ...others] = load;
  try {
    const [first, ...following] = await captureInBrowsers(load, context, context.browser.first);
    const now = performance.now();
    const attempts = [...failed, { ...made, endedAt: now, capture: first }];
    const time = { takenMs: now - made.startedAt, leftMs: context.startedAt + options.timeout * 1000 - now };
    const fixes = fixesFor(options, first, time);
    if (fixes) attempts.push(await repair({ options, fixes, first }, context));
    const second = fixes && attempts.at(-1)?.capture;
    const best = second ? betterCapture(first, second) : first;
    const { browserAttempt } = best;
    const described = browserAttempt
      ? withReport(best, reportCapture(best, { browserAttempt, attempts }, context))
      : best;
    return [judge(described, options), ...following.map((each, index) => judge(each, others[index] ?? options))];
  } catch (error) {
    if (error instanceof ApiError) return [{ error }];
    throw error;
  }
}

/** Applies the caller's rules for what a capture may be. */
function judge(outcome: Capture | ApiError, options: EngineOptions): CaptureOutcome {
  if (outcome instanceof ApiError) return { error: outcome };
  try {
    assertRules(outcome, options);
    return { capture: outcome };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

interface Repair {
  readonly options: EngineOptions;
  readonly fixes: Readonly<Record<string, unknown>>;
  readonly first: Capture;
}

/** Makes the capture once more with the fixes of its problems. One that fails leaves the first capture as it is. */
async function repair({ options, fixes, first }: Repair, context: LoadContext): Promise<LoadAttempt> {
  const startedAt = performance.now();
  const repaired = { ...options, ...fixes };
  const described = { reason: first.problems.map(({ code }) => code).join(", "), startedAt, options: fixes };
  try {
    const [capture] = await captureInBrowsers([repaired], context, context.browser.launch(browserUseFor(repaired)));
    return { ...described, capture, endedAt: performance.now() };
  } catch (error) {
    if (error instanceof ApiError) return { ...described, capture: undefined, endedAt: performance.now() };
    throw error;
  }
}

/** The report is part of the metadata, and so of a result that consists of them. */
function withReport(capture: Capture, report: CaptureReport): Capture {
  const { body, format, metadata } = capture;
  const reported = { ...capture, report, metadata: { ...metadata, report } };
  if (format !== "json") return reported;
  return { ...reported, body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), report })) };
}

function reportCapture(
  best: Capture,
  { browserAttempt, attempts }: { readonly browserAttempt: AttemptReport; readonly attempts: readonly LoadAttempt[] },
  { startedAt, clock }: LoadContext,
): CaptureReport {
  return buildReport({
    startedAt,
    endedAt: performance.now(),
    quality: best.quality,
    steps: clock.works(),
    browserAttempt,
    attempts: attempts.map(({ reason, startedAt: from, endedAt, capture, options }) => ({
      reason,
      duration_ms: Math.round(endedAt - from),
      quality: capture?.quality ?? null,
      options,
      chosen: capture === best,
    })),
  });
}
