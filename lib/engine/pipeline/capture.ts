// Captures a page: plans the capture, and runs the plan in a browser; in another one where that may help.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { isVideoFormat } from "../../contract/options/formats.ts";
import type { FilterLists } from "../adblock/filter-lists.ts";
import type { BrowserSession } from "../browser/browser.ts";
import { browserUseFor, type LaunchBrowser } from "../browser/browser-use.ts";
import { CommandHung, type WatchdogLimits } from "../browser/command-watchdog.ts";
import { watchdog } from "../browser/watchdog.ts";
import { pageCrashed } from "../errors/target-errors.ts";
import { PageLeftError } from "../overlays/page-left.ts";
import { BeginFrameUnavailable, FrameLost } from "../rendering/begin-frame.ts";
import { VirtualTimeUnavailable } from "../rendering/virtual-time.ts";
import { createBudget } from "../timing/budget.ts";
import { type Attempt, BrowserLostError, runAttempt } from "./attempt.ts";
import type { AttemptVariant, Capture } from "./capture-output.ts";
import { assertRules } from "./content-rules.ts";
import type { PhaseClock } from "./phase-clock.ts";
import { planCapture } from "./plan/plan.ts";
import { betterCapture, repairedOptions } from "./self-repair.ts";

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
  /** When a DevTools command that is not answered counts as hung. @default far less than the default timeout */
  readonly watchdog?: WatchdogLimits;
}

/**
 * Captures a page. The capture is attempted again, once for each reason: when the browser crashes or hangs, when its frames or the
 * page's clock cannot be controlled, when a click on a banner or dialog navigated to another page, and with `self_repair` when
 * options may fix its problems. All browsers are
 * killed when this settles, but may take a while to exit; the code that launched the first one waits for that. Throws an
 * ApiError.
 */
export async function capture(options: EngineOptions, context: CaptureContext): Promise<Capture> {
  const { browser, startedAt } = context;
  const first = await captureReliably(options, context, browser.first);
  const now = performance.now();
  const repaired = repairedOptions(options, first, {
    takenMs: now - startedAt,
    leftMs: startedAt + options.timeout * 1000 - now,
  });
  const best = repaired ? betterCapture(first, await repair(repaired, context, first)) : first;
  assertRules(best, options);
  return best;
}

/** The capture with repaired options; the first one where that fails. */
async function repair(options: EngineOptions, context: CaptureContext, first: Capture): Promise<Capture> {
  try {
    return await captureReliably(options, context, context.browser.launch(browserUseFor(options)));
  } catch (error) {
    if (error instanceof ApiError) return first;
    throw error;
  }
}

/** Captures a page with one set of options, in as many attempts as its browser needs. */
async function captureReliably(
  options: EngineOptions,
  context: CaptureContext,
  firstBrowser: Promise<BrowserSession>,
): Promise<Capture> {
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
    variant: {},
    browser: firstBrowser,
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

/** The same capture in a new browser. */
function retry(attempt: Attempt, variant: AttemptVariant): Attempt {
  const { options, launch } = attempt;
  const plan = variant === attempt.variant ? attempt.plan : planCapture(options, variant);
  const asPlanned = browserUseFor(options);
  const use = variant.isRealTime
    ? ({ ...asPlanned, frameMode: "continuous", recordsVideo: false } as const)
    : asPlanned;
  return { ...attempt, plan, variant, browser: launch(use) };
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
