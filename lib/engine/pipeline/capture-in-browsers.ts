// The attempts at a load of a page that its browser makes necessary: one in another browser where that may help.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { isVideoFormat } from "../../contract/options/formats.ts";
import type { BrowserSession } from "../browser/browser.ts";
import { browserUseFor } from "../browser/browser-use.ts";
import { CommandHung } from "../browser/command-watchdog.ts";
import { watchdog } from "../browser/watchdog.ts";
import { pageCrashed } from "../errors/target-errors.ts";
import { PageLeftError } from "../overlays/page-left.ts";
import { BeginFrameUnavailable, FrameLost } from "../rendering/begin-frame.ts";
import { VirtualTimeUnavailable } from "../rendering/virtual-time.ts";
import { createBudget } from "../timing/budget.ts";
import { type BrowserAttempt, BrowserLostError, type LoadCaptures, runBrowserAttempt } from "./browser-attempt.ts";
import type { LoadContext } from "./capture-context.ts";
import type { BrowserAttemptVariant } from "./capture-output.ts";
import { planCapture } from "./plan/plan.ts";

/** The options of the outputs that share a load of the page. */
export type LoadOptions = readonly [EngineOptions, ...EngineOptions[]];

/**
 * Captures the outputs of one load of a page, in their order. A browser that crashes or hangs, or whose frames or clock cannot be
 * controlled, is replaced once for each of these reasons, and so is a page that a click on a banner or dialog has left. Some of the last
 * outputs may be missing, which need a load of their own; another one may have the error that it has alone, too. Throws the `ApiError` of
 * the first one.
 */
export async function captureInBrowsers(
  [options, ...others]: LoadOptions,
  context: LoadContext,
  firstBrowser: Promise<BrowserSession>,
): Promise<LoadCaptures> {
  const { browser, startedAt, clock } = context;
  const plan = planCapture(options);
  const budget = createBudget(startedAt, options.timeout, {
    onTimeout: options.on_timeout,
    recordingMs: recordingMs(options),
    isExact: options.deterministic,
  });
  const { launch, lists } = browser;
  using _ = watchdog.watch(budget.deadline);
  let browserAttempt: BrowserAttempt = {
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
      return await runBrowserAttempt(browserAttempt);
    } catch (error) {
      const isLost: boolean = error instanceof BrowserLostError && !lost;
      const hangs: boolean = !hasHung && hungCommand(error, options) !== undefined;
      const variant = isLost || hangs ? browserAttempt.variant : variantAfter(error, browserAttempt.variant, options);
      if (!variant) throw asApiError(error, lost);
      if (error instanceof BrowserLostError) lost = error;
      hasHung ||= hangs;
      browserAttempt = retry(browserAttempt, variant);
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
  last: BrowserAttemptVariant,
  { deterministic }: EngineOptions,
): BrowserAttemptVariant | undefined {
  if (error instanceof VirtualTimeUnavailable && !last.settlesInRealTime) return { ...last, settlesInRealTime: true };
  if (error instanceof BeginFrameUnavailable && !last.isRealTime && !deterministic)
    return { ...last, isRealTime: true, beginFrameUnavailable: error.message };
  if (error instanceof PageLeftError && !last.onlyHides) return { ...last, onlyHides: true };
  return undefined;
}

/** The same capture in a new browser. One that differs from the first is for its own output alone. */
function retry(browserAttempt: BrowserAttempt, variant: BrowserAttemptVariant): BrowserAttempt {
  const { options, launch } = browserAttempt;
  const isSame = variant === browserAttempt.variant;
  const plan = isSame ? browserAttempt.plan : planCapture(options, variant);
  const following = isSame ? (browserAttempt.following ?? []) : [];
  const asPlanned = browserUseFor(options);
  const use = variant.isRealTime
    ? ({ ...asPlanned, frameMode: "continuous", recordsVideo: false } as const)
    : asPlanned;
  return { ...browserAttempt, plan, following, variant, browser: launch(use) };
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
