// Captures a page: plans the capture, and runs the plan in a browser; in another one where that may help.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { isVideoFormat } from "../../contract/options/formats.ts";
import type { CaptureReport } from "../../contract/problems/capture-report.ts";
import type { FilterLists } from "../adblock/filter-lists.ts";
import type { BrowserSession } from "../browser/browser.ts";
import { browserUseFor, type LaunchBrowser } from "../browser/browser-use.ts";
import { CommandHung, type WatchdogLimits } from "../browser/command-watchdog.ts";
import { watchdog } from "../browser/watchdog.ts";
import { pageCrashed } from "../errors/target-errors.ts";
import { buildReport } from "../outputs/report/build-report.ts";
import type { AttemptReport } from "../outputs/report/describe-attempt.ts";
import { PageLeftError } from "../overlays/page-left.ts";
import { BeginFrameUnavailable, FrameLost } from "../rendering/begin-frame.ts";
import { VirtualTimeUnavailable } from "../rendering/virtual-time.ts";
import { createBudget } from "../timing/budget.ts";
import { type Attempt, BrowserLostError, type Captures, runAttempt } from "./attempt.ts";
import type { AttemptVariant, Capture } from "./capture-output.ts";
import { assertRules } from "./content-rules.ts";
import type { PhaseClock } from "./phase-clock.ts";
import { planCapture } from "./plan/plan.ts";
import { Attempts, pause } from "./retry-on.ts";
import { betterCapture, repairs } from "./self-repair.ts";

export interface CaptureContext {
  readonly browser: {
    /** The browser of the first attempt, launched for what `browserUseFor` returns. */
    readonly first: Promise<BrowserSession>;
    readonly launch: LaunchBrowser;
    readonly lists: FilterLists;
  };
  /** Monotonic time in milliseconds at which the request started; the timeout counts from here. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
  /** Counts the attempts that `retry_on` allows. @default those of this capture alone */
  readonly attempts?: Attempts;
  /** When a DevTools command that is not answered counts as hung. @default far less than the default timeout */
  readonly watchdog?: WatchdogLimits;
}

/**
 * Captures a page. The capture is attempted again, once for each reason: when the browser crashes or hangs, when its frames or the
 * page's clock cannot be controlled, when a click on a banner or dialog navigated to another page, and with `self_repair` when
 * options may fix its problems; and several times for an error that `retry_on` names. All browsers are
 * killed when this settles, but may take a while to exit; the code that launched the first one waits for that. Throws an
 * ApiError.
 */
export function capture(options: EngineOptions, context: CaptureContext): Promise<Capture> {
  const failed: MadeAttempt[] = [];
  return retrying(options, context, async (attempt, reason) => {
    const startedAt = reason === undefined ? context.startedAt : performance.now();
    const made = { reason: reason ?? "requested", startedAt, options: {} };
    try {
      return await captureOnce(options, attempt, { made, failed });
    } catch (error) {
      failed.push({ ...made, endedAt: performance.now(), capture: undefined });
      throw error;
    }
  });
}

interface Once {
  readonly made: Pick<MadeAttempt, "reason" | "startedAt" | "options">;
  /** The attempts before. */
  readonly failed: readonly MadeAttempt[];
}

/** An attempt of a capture, and its repair. */
async function captureOnce(options: EngineOptions, context: CaptureContext, { made, failed }: Once): Promise<Capture> {
  const attempts = [...failed];
  const [first] = await captureReliably([options], context, context.browser.first);
  const now = performance.now();
  attempts.push({ ...made, endedAt: now, capture: first });
  const time = { takenMs: now - made.startedAt, leftMs: context.startedAt + options.timeout * 1000 - now };
  const fixes = repairs(options, first, time);
  if (fixes) attempts.push(await repair({ options, fixes, first }, context));
  const second = fixes && attempts.at(-1)?.capture;
  const best = second ? betterCapture(first, second) : first;
  assertRules(best, options);
  return best.attempt ? withReport(best, reportCapture(best, { attempt: best.attempt, attempts }, context)) : best;
}

/** An attempt at a capture, as its report describes it. */
interface MadeAttempt {
  readonly reason: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Undefined for one that failed. */
  readonly capture: Capture | undefined;
  /** The options that were added. */
  readonly options: Readonly<Record<string, unknown>>;
}

interface Repair {
  readonly options: EngineOptions;
  readonly fixes: Readonly<Record<string, unknown>>;
  readonly first: Capture;
}

/** Makes the capture once more with the fixes of its problems. One that fails leaves the first capture as it is. */
async function repair({ options, fixes, first }: Repair, context: CaptureContext): Promise<MadeAttempt> {
  const startedAt = performance.now();
  const repaired = { ...options, ...fixes };
  const described = { reason: first.problems.map(({ code }) => code).join(", "), startedAt, options: fixes };
  try {
    const [capture] = await captureReliably([repaired], context, context.browser.launch(browserUseFor(repaired)));
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
  { attempt, attempts }: { readonly attempt: AttemptReport; readonly attempts: readonly MadeAttempt[] },
  { startedAt, clock }: CaptureContext,
): CaptureReport {
  return buildReport({
    startedAt,
    endedAt: performance.now(),
    quality: best.quality,
    steps: clock.works(),
    attempt,
    attempts: attempts.map(({ reason, startedAt: from, endedAt, capture, options }) => ({
      reason,
      duration_ms: Math.round(endedAt - from),
      quality: capture?.quality ?? null,
      options,
      chosen: capture === best,
    })),
  });
}

/**
 * Captures several outputs of one load of a page, in their order; the caller has checked that they can share it. Of those after
 * the first, one may have the error that it has alone, too, and some of the last may be missing: they need a load of their own. Throws the ApiError of the first one. The
 * rules of the caller for what a capture may be are not applied.
 */
export function captureOneLoad(outputs: SharedLoad, context: CaptureContext): Promise<Captures> {
  return retrying(outputs[0], context, (attempt) => captureReliably(outputs, attempt, attempt.browser.first));
}

/**
 * Runs attempts until one succeeds or `retry_on` allows no further one, each with a browser of its own. `reason` is the code of the error
 * of the attempt before; undefined for the first one. Throws the error of the last one; if that had too little time left, the error of
 * the one before, which says what is wrong with the page.
 */
async function retrying<T>(
  options: EngineOptions,
  context: CaptureContext,
  work: (attempt: CaptureContext, reason: string | undefined) => Promise<T>,
): Promise<T> {
  const { browser, startedAt, clock, attempts = new Attempts() } = context;
  let attempt = context;
  let last: ApiError | undefined;
  for (;;) {
    try {
      return await work(attempt, last?.code);
    } catch (error) {
      if (last && error instanceof ApiError && error.code === "CAPTURE_TIMEOUT") throw last;
      const leftMs = startedAt + options.timeout * 1000 - performance.now();
      const pauseMs = attempts.next(error, options, leftMs);
      if (pauseMs === undefined) throw error;
      last = error as ApiError;
      await clock.measure("navigate", () => pause(pauseMs), { name: "pause-before-retry" });
      attempt = { ...context, browser: { ...browser, first: browser.launch(browserUseFor(options)) } };
    }
  }
}

/** The options of outputs that share a load. */
export type SharedLoad = readonly [EngineOptions, ...EngineOptions[]];

/** Captures a page, in as many attempts as its browser needs. */
async function captureReliably(
  [options, ...others]: SharedLoad,
  context: CaptureContext,
  firstBrowser: Promise<BrowserSession>,
): Promise<Captures> {
  const { browser, startedAt, clock } = context;
  const plan = planCapture(options);
  const budget = createBudget(startedAt, options.timeout, {
    onTimeout: options.on_timeout,
    recordingMs: recordingMs(options),
    isExact: options.deterministic,
  });
  const { launch, lists } = browser;
  using _ = watchdog.watch(budget.deadline);
  let attempt: Attempt = {
    options,
    plan,
    following: others.map((other) => ({ options: other, plan: planCapture(other) })),
    variant: {},
    browser: firstBrowser,
    startedAt,
    launch,
    lists,
    budget,
    clock,
    watchdog: context.watchdog,
  };
  let lost: BrowserLostError | undefined;
  let hasHung = false;
  for (;;) {
    try {
      return await runAttempt(attempt);
    } catch (error) {
      const isLost: boolean = error instanceof BrowserLostError && !lost;
      const hangs: boolean = !hasHung && hungCommand(error, options) !== undefined;
      const variant = isLost || hangs ? attempt.variant : variantAfter(error, attempt.variant, options);
      if (!variant) throw asApiError(error, lost);
      if (error instanceof BrowserLostError) lost = error;
      hasHung ||= hangs;
      attempt = retry(attempt, variant);
    }
  }
}

/**
 * The DevTools command with which a browser hangs, if it does. A frame that is lost counts where the capture cannot do with a
 * browser that schedules its frames itself.
 */
function hungCommand(error: unknown, { deterministic }: EngineOptions): string | undefined {
  return error instanceof CommandHung || (error instanceof FrameLost && deterministic) ? error.command : undefined;
}

/** How the next attempt differs after an error; undefined where it would fail in the same way, or not have exact time. */
function variantAfter(
  error: unknown,
  last: AttemptVariant,
  { deterministic }: EngineOptions,
): AttemptVariant | undefined {
  if (error instanceof VirtualTimeUnavailable && !last.settlesInRealTime) return { ...last, settlesInRealTime: true };
  if (error instanceof BeginFrameUnavailable && !last.isRealTime && !deterministic)
    return { ...last, isRealTime: true, beginFrameUnavailable: error.message };
  if (error instanceof PageLeftError && !last.onlyHides) return { ...last, onlyHides: true };
  return undefined;
}

/** The same capture in a new browser. One that differs from the first is for its own output alone. */
function retry(attempt: Attempt, variant: AttemptVariant): Attempt {
  const { options, launch } = attempt;
  const isSame = variant === attempt.variant;
  const plan = isSame ? attempt.plan : planCapture(options, variant);
  const following = isSame ? (attempt.following ?? []) : [];
  const asPlanned = browserUseFor(options);
  const use = variant.isRealTime
    ? ({ ...asPlanned, frameMode: "continuous", recordsVideo: false } as const)
    : asPlanned;
  return { ...attempt, plan, following, variant, browser: launch(use) };
}

/** The time that is kept back for recording a video: its duration, although most take less. */
function recordingMs({ format, video_duration: seconds }: EngineOptions): number {
  return isVideoFormat(format) ? seconds * 1000 : 0;
}

/** `lost` is the loss of the first browser, if it was lost. */
function asApiError(error: unknown, lost: BrowserLostError | undefined): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CommandHung || error instanceof FrameLost) {
    const message = `The browser did not answer the command ${error.command} for this page, in two attempts. Nothing was billed.`;
    return new ApiError("INTERNAL_ERROR", message, { cause: error });
  }
  if (!(error instanceof BrowserLostError)) return internalError(error);
  if (error.page && lost?.page) return pageCrashed(error.page, error);
  const message = "The browser could not be started or crashed before the page, in two attempts. Nothing was billed.";
  return new ApiError("INTERNAL_ERROR", message, { cause: error });
}
