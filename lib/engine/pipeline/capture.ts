// A capture: the plan carried out step by step in one browser, within the caller's time, whatever the page does.

import { ApiError, internalError, type TargetReport } from "../../errors/api-error.ts";
import type { PageLimit } from "../../options/capture-limits.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import { type Format, isImageFormat, isVideoFormat, mimeTypes } from "../../options/formats.ts";
import type { FilterLists } from "../adblock/filter-lists.ts";
import type { BrowserExit, BrowserSession } from "../browser/browser.ts";
import { limitDevToolsTraffic } from "../browser/devtools-pipe.ts";
import { assertDeliverable, assertPixels } from "../outputs/result-limits.ts";
import type { Slice } from "../outputs/screenshot/slices.ts";
import { PageLeftError } from "../overlays/page-left.ts";
import { confirmDocument } from "../page/confirm-document.ts";
import { type PageActivity, trackPage } from "../page/page-activity.ts";
import { BeginFrameUnavailable } from "../rendering/begin-frame.ts";
import { encodeFrame, lastFrame } from "../rendering/last-frame.ts";
import { type Budget, createBudget } from "./budget.ts";
import {
  type BrowserUse,
  type CaptureState,
  createCaptureState,
  type LaunchBrowser,
  StepTimeout,
} from "./capture-context.ts";
import { captureTimeout, limitExceeded, notReady, report, withoutCredentials } from "./capture-failure.ts";
import type { PhaseClock } from "./phase-clock.ts";
import { blocks, browserUseFor, plan } from "./plan.ts";
import { runPlan } from "./run-plan.ts";
import type { Step } from "./step.ts";
import { resultOf } from "./steps/encode.ts";
import { describeWait } from "./waited-for.ts";

/** A finished capture. */
export interface Capture {
  readonly body: Buffer;
  readonly format: Format;
  readonly mimeType: string;
  /** Address of the page that was captured, null for HTML and Markdown. */
  readonly finalUrl: string | null;
  /** Status the page's server answered, null for HTML and Markdown. */
  readonly statusCode: number | null;
  /** What was degraded, one sentence each. */
  readonly warnings: readonly string[];
  /** What the caller asked to be told about the page and its image. */
  readonly metadata: CaptureState["metadata"];
  /** Why the page was not painted on demand although it should have been; undefined where it was. */
  readonly paintingRefused: string | undefined;
  /** The image once more, in pieces. */
  readonly slices: readonly Slice[];
}

export interface CaptureContext {
  /** The browser of the first attempt, which is of the use that `browserUseOf` says, how to launch others, and what they block. */
  readonly browser: {
    readonly first: Promise<BrowserSession>;
    readonly launch: LaunchBrowser;
    readonly lists: FilterLists;
  };
  /** Monotonic time in milliseconds at which the request began; its timeout counts from here. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
}

/**
 * Captures a page. A browser that crashes is replaced once, and so is one whose page cannot be recorded in virtual time,
 * and one whose page was left by a click on a banner or dialog: the next attempt clicks none of them. Every browser is
 * killed when this settles, but may take a while to exit: the code that launched it waits for that, not the caller.
 * Throws an ApiError that says why there is no capture.
 */
export async function capture(options: CaptureOptions, context: CaptureContext): Promise<Capture> {
  const { browser, clock } = context;
  const budget = createBudget(context.startedAt, options.timeout, {
    onTimeout: options.on_timeout,
    filmMs: filmMs(options),
  });
  let attempting: Attempting = { launch: browser.launch, lists: browser.lists, budget, clock };
  let launching = browser.first;
  for (;;) {
    try {
      return await attempt(options, launching, attempting);
    } catch (error) {
      const change = changeAfter(error, attempting);
      if (!change) throw asApiError(error);
      attempting = { ...attempting, ...change };
      launching = browser.launch(useOf(options, attempting));
    }
  }
}

/** What the next attempt does differently after an error, once for each reason; undefined where it would fail again. */
function changeAfter(error: unknown, last: Attempting): Partial<Attempting> | undefined {
  if (error instanceof BeginFrameUnavailable && last.paintingRefused === undefined)
    return { paintingRefused: error.message };
  if (error instanceof PageLeftError && !last.onlyHides) return { onlyHides: true };
  return error instanceof BrowserLost && !last.isRelaunched ? { isRelaunched: true } : undefined;
}

function useOf(options: CaptureOptions, { paintingRefused }: Attempting): BrowserUse {
  return paintingRefused === undefined ? browserUseFor(options) : { painting: "continuous", isFilmed: false };
}

/** What a video needs of the time, if it is one: what it lasts, though most take less. */
function filmMs(options: CaptureOptions): number {
  const step = plan(options).find(({ name }) => name === "film");
  return step?.name === "film" ? step.film.seconds * 1000 : 0;
}

/** The browser crashed under the capture, or did not start. */
class BrowserLost extends Error {
  readonly hasStarted: boolean;

  constructor(cause: unknown, hasStarted: boolean) {
    super("The browser crashed.", { cause });
    this.hasStarted = hasStarted;
  }
}

interface Attempting {
  readonly launch: LaunchBrowser;
  readonly lists: FilterLists;
  readonly budget: Budget;
  readonly clock: PhaseClock;
  /** Why the page is not to be painted on demand. */
  readonly paintingRefused?: string | undefined;
  /** True where a click on a banner or dialog has led away from the page: nothing of the kind is clicked then. */
  readonly onlyHides?: boolean;
  /** True where the browser of an attempt before has crashed. */
  readonly isRelaunched?: boolean;
}

async function attempt(
  options: CaptureOptions,
  launching: Promise<BrowserSession>,
  { launch, lists, budget, clock, paintingRefused, onlyHides = false }: Attempting,
): Promise<Capture> {
  const deadline = new AbortController();
  const end = options.on_timeout === "capture" ? budget.lastMoment : budget.deadline;
  const timer = setTimeout(() => deadline.abort(), Math.max(0, end - performance.now()));
  let capturing: CaptureState | undefined;
  let current: Step | undefined;
  try {
    const launched = clock.measure("browser", () => launching);
    const session = await raceAbort(launched, deadline.signal);
    limitDevToolsTraffic(session);
    const following = Promise.race([trackPage(session), loss(session)]);
    const activity = await raceAbort(following, deadline.signal);
    capturing = createCaptureState({ session, activity, launch, lists, budget });
    const begun = (step: Step) => {
      current = step;
    };
    const steps = plan(options, { isRealTime: paintingRefused !== undefined, onlyHides });
    const work = Promise.race([runPlan(options, capturing, { steps, clock, begun }), loss(session)]);
    await raceAbort(work, deadline.signal);
    return finished(options, capturing, { paintingRefused, onlyHides });
  } catch (error) {
    if (error instanceof StepTimeout) {
      const [phase, awaited] = [clock.current, error.message || describeWait(current)];
      const partial = await partialCapture(options, capturing, awaited);
      if (partial) return partial;
      const activity = capturing?.activity;
      const overrun = {
        phase,
        awaited,
        pending: activity?.pending() ?? [],
        canBePartial: isImageFormat(options.format),
      };
      throw captureTimeout(overrun, reportOf(activity));
    }
    const gone = (await endOf(launching)) ?? (capturing?.encoder && (await endOf(capturing.encoder)));
    if (error instanceof ApiError) throw error;
    // A page that goes beyond a limit would do so again.
    if (gone !== undefined && gone !== "crashed") throw await beyondLimit(gone, launching, capturing);
    await closeAll(launching, capturing); // another one needs its memory
    const isLost = gone && !(error instanceof BeginFrameUnavailable || error instanceof PageLeftError);
    throw isLost ? new BrowserLost(error, capturing !== undefined) : error;
  } finally {
    clearTimeout(timer);
    void closeAll(launching, capturing);
  }
}

/** Rejects when the browser goes away, which no step may be waiting for. */
async function loss(session: BrowserSession): Promise<never> {
  throw new Error(`browser gone: ${await session.exitReason}`);
}

async function beyondLimit(
  limit: PageLimit,
  launching: Promise<BrowserSession>,
  capturing: CaptureState | undefined,
): Promise<ApiError> {
  const { limits } = await launching;
  return limitExceeded(limit, limits, reportOf(capturing?.activity));
}

/** How a browser went away, or did not even start; undefined where it did not. */
async function endOf(launching: Promise<BrowserSession>): Promise<BrowserExit | undefined> {
  const session = await launching.catch(() => undefined);
  // Chromium's last words can come before the news of its end, in the same moment.
  return session ? Promise.race([session.exitReason, undefined]) : "crashed";
}

/** Closes the browser of an attempt, and the one that encodes its video, if there is one, even when they are yet to start. */
async function closeAll(launching: Promise<BrowserSession>, capturing: CaptureState | undefined): Promise<void> {
  await Promise.allSettled([launching, capturing?.encoder].map((starting) => starting?.then((each) => each.close())));
}

/**
 * The window as it was painted last, of a page that is too busy for a picture; undefined when it must not be captured
 * so, or nothing was painted. Throws when the page is not the one that was asked for.
 */
async function partialCapture(
  options: CaptureOptions,
  capturing: CaptureState | undefined,
  awaited: string,
): Promise<Capture | undefined> {
  if (options.on_timeout !== "capture" || !capturing?.activity.document.painted) return undefined;
  const steps = plan(options);
  if (steps.some(({ name }) => name === "check-content")) return undefined; // a page that is too busy cannot be asked what it says
  const { session, activity, budget, window } = capturing;
  assertPixels(window, session.limits);
  for (const step of steps) if (step.name === "confirm-document") confirmDocument(capturing, step.refused);
  const png = await lastFrame(session.cdp, budget);
  if (!png) return undefined;
  const { body, format } = await encodeFrame(png, options, capturing);
  // What it was not ready for is what was given up first; that it was too busy for a picture came after that.
  const warning = `${capturing.givenUp ?? notReady(awaited, activity.pending())} It is the window as it was painted last.`;
  const facts = {
    warnings: [warning],
    metadata: blockedOn(options, capturing),
    slices: [],
    paintingRefused: undefined,
  };
  const result = { body, format, mimeType: mimeTypes[format], ...facts };
  assertDeliverable(result, options.response_type === "base64", session.limits);
  return { ...arrivedAt(options, activity), ...result };
}

function finished(
  options: CaptureOptions,
  capturing: CaptureState,
  { paintingRefused, onlyHides }: Pick<Attempting, "paintingRefused" | "onlyHides">,
): Capture {
  const { activity, session, slices } = capturing;
  const metadata = { ...capturing.metadata, ...blockedOn(options, capturing) };
  const { body, format } = resultOf(capturing);
  assertDeliverable({ body, format, slices }, options.response_type === "base64", session.limits);
  const facts = {
    warnings: [...(onlyHides ? [LEFT] : []), ...refusalWarnings(options, paintingRefused), ...capturing.warnings],
    metadata,
    slices,
    paintingRefused,
  };
  return { ...arrivedAt(options, activity), body, format, mimeType: mimeTypes[format], ...facts };
}

/** What was kept out of the page, where that was asked for. */
function blockedOn(options: CaptureOptions, { blocked }: CaptureState): Pick<CaptureState["metadata"], "blocked"> {
  return blocks(options) ? { blocked } : {};
}

const LEFT =
  "A click that was to close a banner or dialog led to another page; the capture started over and hid it instead.";

function refusalWarnings({ format }: CaptureOptions, paintingRefused: string | undefined): string[] {
  if (paintingRefused === undefined || !isVideoFormat(format)) return [];
  return [`The page was filmed as it passed, and not frame by frame: ${paintingRefused}.`];
}

function arrivedAt({ url }: CaptureOptions, { document }: PageActivity): Pick<Capture, "finalUrl" | "statusCode"> {
  if (url === undefined) return { finalUrl: null, statusCode: null };
  return { finalUrl: withoutCredentials(document.url), statusCode: document.response?.status ?? null };
}

/** The outcome of `work`, or `StepTimeout` once the signal aborts; a late failure of `work` is not an accident then. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  if (signal.aborted) throw new StepTimeout();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new StepTimeout()), { once: true });
  });
  return Promise.race([work, aborted]);
}

function reportOf(activity: PageActivity | undefined): TargetReport {
  const document = activity?.document;
  return report(document?.url ?? null, document?.netError ?? null, document?.response?.status ?? null);
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BrowserLost) {
    const what = error.hasStarted
      ? "The browser crashed while rendering this page"
      : "The browser could not be started";
    return new ApiError("INTERNAL_ERROR", `${what}, also at a second attempt. Nothing was billed.`, { cause: error });
  }
  return internalError(error);
}
