// One attempt at a capture: launches the browser, runs the plan in it until the deadline, and kills every browser it used.

import { ApiError, type TargetReport } from "../../contract/errors/api-error.ts";
import type { PageLimit } from "../../contract/options/capture-limits.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { FilterLists } from "../adblock/filter-lists.ts";
import type { BrowserExit, BrowserSession } from "../browser/browser.ts";
import type { LaunchBrowser } from "../browser/browser-use.ts";
import { CommandHung, type WatchdogLimits, watchCommands } from "../browser/command-watchdog.ts";
import { limitDevToolsTraffic } from "../browser/devtools-pipe.ts";
import { workCheck } from "../browser/process-idle.ts";
import { resolveEnvironment } from "../emulation/environment.ts";
import { limitExceeded } from "../errors/target-errors.ts";
import { targetReport } from "../errors/target-report.ts";
import { captureTimeout } from "../errors/timeout-errors.ts";
import { PageLeftError } from "../overlays/page-left.ts";
import type { PageWindow } from "../page/captured-page.ts";
import { type PageActivity, trackPage } from "../page/page-activity.ts";
import { BeginFrameUnavailable } from "../rendering/begin-frame.ts";
import { VirtualTimeUnavailable } from "../rendering/virtual-time.ts";
import type { Budget } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import { describeAwaited } from "./awaited.ts";
import { type BrowserAttemptVariant, type Capture, finishCapture } from "./capture-output.ts";
import type { LaunchedPage } from "./capture-state.ts";
import { determinismError } from "./determinism-error.ts";
import { capturePartially } from "./partial-capture.ts";
import type { PhaseClock } from "./phase-clock.ts";
import type { CapturePlan } from "./plan/plan.ts";
import { type PlannedOutput, type PlanProgress, runPlan } from "./run-plan.ts";
import { timeoutAdvice } from "./timeout-advice.ts";

/** Longest wait for the events that a killed browser has sent before. */
const LAST_EVENTS_MS = 1_000;

export interface BrowserAttempt {
  readonly options: EngineOptions;
  readonly plan: CapturePlan;
  /** Further outputs of the same load of the page. @default none */
  readonly following?: readonly PlannedOutput[];
  readonly variant: BrowserAttemptVariant;
  /** The browser of the page, which may still be starting. */
  readonly browser: Promise<BrowserSession>;
  readonly launch: LaunchBrowser;
  readonly lists: FilterLists;
  readonly budget: Budget;
  /** When the capture was requested, on the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
  readonly watchdog?: WatchdogLimits | undefined;
}

/** The browser crashed during the capture, or did not start. */
export class BrowserLostError extends Error {
  /** The page that it was showing; undefined when it was lost before that. */
  readonly page: TargetReport | undefined;

  constructor(cause: unknown, page: TargetReport | undefined) {
    super("The browser crashed.", { cause });
    this.page = page;
  }
}

/** The capture that was requested, and those of the outputs that follow it, or the error that such an output has alone as well. */
export type LoadCaptures = readonly [Capture, ...(Capture | ApiError)[]];

/**
 * Captures a page in one browser. Of the outputs that follow the first, those are missing that need a load of their own, or that
 * failed with an error that they may not have alone, and all after them. Throws the ApiError of the capture; `BrowserLostError`, `BeginFrameUnavailable`, `CommandHung`,
 * `VirtualTimeUnavailable` and `PageLeftError` where another attempt may succeed.
 */
export async function runBrowserAttempt(browserAttempt: BrowserAttempt): Promise<LoadCaptures> {
  const { options, plan, following = [], clock, budget } = browserAttempt;
  const browsers = new AttemptBrowsers(browserAttempt);
  const progress: PlanProgress = { captured: [] };
  const deadline = startDeadline(options.on_timeout === "capture" ? budget.lastMoment : budget.deadline);
  let page: LaunchedPage | undefined;
  let watchdog: ReturnType<typeof watchCommands> | undefined;
  try {
    const session = await deadline.race(clock.measure("browser", () => browserAttempt.browser));
    if (session.isLaunchedAhead) clock.describe("browser", "ready");
    session.monitor();
    limitDevToolsTraffic(session);
    const activity = await deadline.race(Promise.race([trackPage(session), browserGone(session)]));
    page = createPage(browserAttempt, browsers, { session, activity });
    const watched = { hasWorked: workCheck(session.browser), isLoading: () => activity.pending().length > 0 };
    watchdog = watchCommands(session.cdp, watched, browserAttempt.watchdog);
    const givesUpWaits = options.on_timeout === "capture";
    const running = runPlan({ plan, following, clock, givesUpWaits, progress }, page);
    const { hung } = watchdog;
    await deadline.race(Promise.race([running, browserGone(session), hung]));
    return finishCaptures(browserAttempt, progress);
  } catch (error) {
    const isFollowingLost = following.length > 0 && progress.captured.length > 0;
    if (isFollowingLost) return finishCaptures(browserAttempt, progress);
    if (error instanceof TimeoutError) return [await captureAfterTimeout(browserAttempt, { page, progress, error })];
    const exit = await browsers.exit();
    if (error instanceof ApiError) throw error;
    if (options.deterministic) {
      const failure = determinismError(error, page?.activity.pending() ?? []);
      if (failure) throw failure;
    }
    // A page that exceeds a limit would exceed it again.
    if (exit !== undefined && exit !== "crashed") throw await pageLimitError(exit, browserAttempt, page);
    await browsers.close(); // the next attempt needs their memory
    const mayRetryOtherwise = [BeginFrameUnavailable, CommandHung, VirtualTimeUnavailable, PageLeftError].some(
      (kind) => error instanceof kind,
    );
    const hasPage = page && progress.step && !plan.prepare.some((step) => step === progress.step);
    const lostPage = hasPage ? reportPage(page?.activity) : undefined;
    throw exit && !mayRetryOtherwise ? new BrowserLostError(error, lostPage) : error;
  } finally {
    deadline.clear();
    watchdog?.stop();
    void browsers.close();
  }
}

/** The captures of the outputs so far. Throws the error of the first one; another one that can't be delivered is missing. */
function finishCaptures(
  { options, following = [], variant, clock }: BrowserAttempt,
  { captured, failed }: PlanProgress,
): LoadCaptures {
  const [first, ...others] = captured;
  if (!first) throw new Error("The plan ended without an output.");
  if (first.frameScheduler?.virtualTime) clock.describe("settle", "virtual time");
  const captures: [Capture, ...(Capture | ApiError)[]] = [finishCapture(options, first, variant)];
  for (const [index, page] of others.entries()) {
    const output = following[index];
    const finished = output && finishIfDeliverable(output.options, page, variant);
    if (!finished) return captures;
    captures.push(finished);
  }
  if (failed) captures.push(failed);
  return captures;
}

/** Undefined for a capture that can't be delivered: its error is that of a capture by itself. */
function finishIfDeliverable(...capture: Parameters<typeof finishCapture>): Capture | undefined {
  try {
    return finishCapture(...capture);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function createPage(
  { options, lists, budget, startedAt }: BrowserAttempt,
  browsers: AttemptBrowsers,
  opened: Pick<LaunchedPage, "session" | "activity">,
): LaunchedPage {
  return {
    ...opened,
    options,
    startedAt,
    launch: (use) => browsers.launch(use),
    lists,
    budget,
    now: () => performance.now(),
    window: emulatedWindow(options),
    warnings: [],
    problems: [],
    blocked: { requests: 0, dialogs: 0, unlocked: false },
    overlays: {},
    pointer: {},
  };
}

/** The window that is emulated. */
function emulatedWindow(options: EngineOptions): PageWindow {
  const { width, height, scale, mobile, screenMetrics } = resolveEnvironment(options);
  return { width, height, scale, mobile, ...(screenMetrics && { screenMetrics }) };
}

/** Rejects when the browser exits, for which no step waits. */
async function browserGone(session: BrowserSession): Promise<never> {
  throw new Error(`The browser exited: ${await session.exitReason}`);
}

/** The browsers of an attempt: that of the page, and those that its steps launch. */
class AttemptBrowsers {
  readonly #launch: LaunchBrowser;
  readonly #launched: Promise<BrowserSession>[];

  constructor({ browser, launch }: BrowserAttempt) {
    this.#launch = launch;
    this.#launched = [browser];
  }

  launch(...use: Parameters<LaunchBrowser>): Promise<BrowserSession> {
    const launched = this.#launch(...use);
    this.#launched.push(launched);
    return launched;
  }

  /** How the first of them that is gone has exited, or that it did not start; undefined when all are running. */
  async exit(): Promise<BrowserExit | undefined> {
    for (const launched of this.#launched) {
      const session = await launched.catch(() => undefined);
      // Chromium's last messages can arrive before its exit is known, in the same iteration of the event loop.
      const exit = session ? await Promise.race([session.exitReason, undefined]) : "crashed";
      if (exit) return exit;
    }
    return undefined;
  }

  /** Kills them all, even those that have not started yet. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#launched.map((launched) => launched.then((session) => session.close())));
  }
}

/** A deadline on the clock of `performance.now()`. */
function startDeadline(at: number) {
  const reached = new AbortController();
  const timer = setTimeout(() => reached.abort(), Math.max(0, at - performance.now()));
  return {
    clear: () => clearTimeout(timer),
    /** The outcome of `work`, or `TimeoutError` once the deadline is reached; a later failure of `work` is ignored. */
    async race<T>(work: Promise<T>): Promise<T> {
      work.catch(() => undefined);
      const { signal } = reached;
      if (signal.aborted) throw new TimeoutError();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new TimeoutError()), { once: true });
      });
      return Promise.race([work, aborted]);
    },
  };
}

interface TimedOut {
  readonly page: LaunchedPage | undefined;
  readonly progress: PlanProgress;
  readonly error: TimeoutError;
}

/** Returns the partial capture where the options allow one. Throws `CAPTURE_TIMEOUT` otherwise. */
async function captureAfterTimeout(
  browserAttempt: BrowserAttempt,
  { page, progress, error }: TimedOut,
): Promise<Capture> {
  const { options, clock } = browserAttempt;
  const { step, givenUp } = progress;
  const [phase, awaited] = [clock.current, error.message || describeAwaited(step)];
  const partial = page && (await capturePartially({ options, page, awaited, givenUp }));
  if (partial) return partial;
  const pending = page?.activity.pending() ?? [];
  const advice = timeoutAdvice(options, step, error);
  throw captureTimeout({ phase, awaited, pending, advice }, page && reportPage(page.activity));
}

async function pageLimitError(
  limit: PageLimit,
  browserAttempt: BrowserAttempt,
  page: LaunchedPage | undefined,
): Promise<ApiError> {
  const { limits, disconnected } = await browserAttempt.browser;
  await withTimeout(disconnected, LAST_EVENTS_MS); // the response of the page may be among the last events
  const { javascript, format } = browserAttempt.options;
  return limitExceeded(limit, { limits, javascript, format }, reportPage(page?.activity));
}

function reportPage(activity: PageActivity | undefined): TargetReport {
  const document = activity?.document;
  return targetReport(document?.url ?? null, document?.netError ?? null, document?.response?.status ?? null);
}
