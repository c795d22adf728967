// A capture: the plan carried out step by step in one browser, within the caller's time, whatever the page does.
import type { CaptureOptions } from "../contract/capture-options.ts";
import { ApiError, internalError, type TargetReport } from "../contract/errors.ts";
import { type Format, mimeTypes } from "../contract/formats.ts";
import type { BrowserEnd, BrowserSession } from "./browser.ts";
import { type Budget, createBudget, hardAllowance, lastMoment, remaining } from "./budget.ts";
import { type Capturing, StepTimeout } from "./capturing.ts";
import { captureTimeout, report, withoutCredentials } from "./failure.ts";
import { type LastFrame, lastFrameAs, watchFrames } from "./last-frame.ts";
import { followPage, type PageActivity } from "./page-activity.ts";
import type { PhaseClock } from "./phase-clock.ts";
import { phaseOf, plan, type Step } from "./plan.ts";
import type { Slice } from "./slices.ts";
import { resultOf } from "./steps/result.ts";
import { perform } from "./steps.ts";
import { within } from "./within.ts";

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
  readonly metadata: Capturing["metadata"];
  /** The image once more, in pieces. */
  readonly slices: readonly Slice[];
}

export interface CaptureContext {
  /** The browser of the first attempt, and how to launch another for a second one. */
  readonly browser: { readonly first: Promise<BrowserSession>; readonly again: () => Promise<BrowserSession> };
  /** Monotonic time in milliseconds at which the request began; its timeout counts from here. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
}

/**
 * Captures a page. A browser that dies is replaced once; every browser is killed when this settles, and `cleanedUp`
 * of the outcome resolves when nothing of it is left. Throws an ApiError that says why there is no capture.
 */
export async function capture(
  options: CaptureOptions,
  context: CaptureContext,
): Promise<Capture & { cleanedUp: Promise<void> }> {
  const budget = createBudget(context.startedAt, options.timeout);
  try {
    return await attempt(options, context.browser.first, budget, context.clock);
  } catch (error) {
    // A page that exhausts memory would do so again.
    if (!(error instanceof BrowserLost) || error.end === "out-of-memory") throw asApiError(error);
  }
  return attempt(options, context.browser.again(), budget, context.clock).catch((error) => {
    throw asApiError(error);
  });
}

/** The browser went away under the capture. */
class BrowserLost extends Error {
  readonly end: BrowserEnd;
  constructor(end: BrowserEnd, cause: unknown) {
    super(`browser ${end}`, { cause });
    this.end = end;
  }
}

async function attempt(
  options: CaptureOptions,
  launching: Promise<BrowserSession>,
  budget: Budget,
  clock: PhaseClock,
): Promise<Capture & { cleanedUp: Promise<void> }> {
  const isLenient = options.on_timeout === "capture";
  const deadline = new AbortController();
  const now = performance.now();
  const timer = setTimeout(() => deadline.abort(), isLenient ? lastMoment(budget, now) : remaining(budget, now));
  let activity: PageActivity | undefined;
  let frames: LastFrame | undefined;
  try {
    const launched = clock.measure("browser", () => launching);
    const session = await raceAbort(launched, deadline.signal);
    const following = Promise.race([followPage(session.page, session.cdp), loss(session)]);
    activity = await raceAbort(following, deadline.signal);
    if (isLenient) frames = await raceAbort(watchFrames(session.cdp), deadline.signal);
    const work = Promise.race([carryOut(options, session, activity, budget, clock), loss(session)]);
    const capturing = await raceAbort(work, deadline.signal);
    return { ...finished(options, capturing), cleanedUp: session.close() };
  } catch (error) {
    if (error instanceof StepTimeout) {
      const closing = launching.then((late) => late.close()).catch(() => undefined); // it may not even have started yet
      const pending = activity?.pending() ?? [];
      const timeout = captureTimeout(clock.current, error.message, pending, reportOf(activity));
      const partial = activity && frames && (await lastFrameAs(frames, options));
      if (!activity || !partial) throw timeout;
      const warnings = [`${timeout.message} This is what had been painted.`];
      return { ...arrivedAt(options, activity), ...partial, warnings, metadata: {}, slices: [], cleanedUp: closing };
    }
    const session = await launching.catch(() => undefined);
    // Chromium's last words can come before the news of its end, in the same moment.
    const end = session ? await Promise.race([session.gone, undefined]) : "crashed";
    await session?.close();
    if (error instanceof ApiError) throw error;
    throw end ? new BrowserLost(end, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects when the browser goes away by itself, which no step may be waiting for. */
async function loss(session: BrowserSession): Promise<never> {
  throw new BrowserLost(await session.gone, undefined);
}

async function carryOut(
  options: CaptureOptions,
  session: BrowserSession,
  activity: PageActivity,
  budget: Budget,
  clock: PhaseClock,
): Promise<Capturing> {
  const capturing: Capturing = {
    session,
    activity,
    budget,
    now: () => performance.now(),
    warnings: [],
    confirmed: "",
    window: { width: 0, height: 0, scale: 1 },
    area: { x: 0, y: 0, width: 0, height: 0 },
    scale: 1,
    strips: [],
    slices: [],
    metadata: {},
  };
  const steps = plan(options);
  const [settling, confirming] = [indexOf(steps, "await-load"), indexOf(steps, "confirm-document")];
  for (let next = 0; next < steps.length; next++) {
    const step = steps[next] as Step;
    const isWait = next >= settling && next < confirming;
    const work = () => perform(capturing, step);
    if (isWait && options.on_timeout === "capture") {
      const warning = await clock.measure(phaseOf[step.name], () => inTime(capturing, work));
      if (warning === undefined) continue;
      capturing.warnings.push(warning);
      next = confirming - 1;
      continue;
    }
    await clock.measure(phaseOf[step.name], work);
    if (step.name === "confirm-document") capturing.confirmed = activity.documentId;
    // A page that went elsewhere while its picture was taken is settled and taken again, until its time is up.
    if (isShot(step) && capturing.confirmed !== activity.documentId) {
      Object.assign(capturing, { output: undefined, strips: [], metadata: {} });
      capturing.warnings.length = 0;
      next = settling - 1;
    }
  }
  return capturing;
}

function indexOf(steps: readonly Step[], name: Step["name"]): number {
  return steps.findIndex((step) => step.name === name);
}

function isShot({ name }: Step): boolean {
  return name === "shoot" || name === "shoot-sections" || name === "print" || name === "write-document";
}

/** Carries out a step while there is time for it; otherwise tells what the capture now goes on without. */
async function inTime({ budget, now, activity }: Capturing, work: () => Promise<void>): Promise<string | undefined> {
  const done = work().then(
    () => "done" as const,
    (error) => {
      if (error instanceof StepTimeout || isVainWait(error)) return error;
      throw error;
    },
  );
  const outcome = await within(done, hardAllowance(budget, now(), Number.POSITIVE_INFINITY));
  if (outcome === "done") return undefined;
  const awaited = outcome?.message ? `, waiting for ${outcome.message}` : "";
  const [first, ...more] = activity.pending();
  const pending =
    first === undefined ? "" : ` Still pending: ${first}${more.length ? ` and ${more.length} more` : ""}.`;
  return `The page was captured before it was ready, since its time was up${awaited}.${pending}`;
}

/** What was waited for and did not come, which is only a matter of time to a capture that must not fail of it. */
function isVainWait(error: unknown): error is ApiError {
  return error instanceof ApiError && ["SELECTOR_NOT_FOUND", "EXPRESSION_FAILED"].includes(error.code);
}

function finished(options: CaptureOptions, capturing: Capturing): Capture {
  const { activity, warnings, metadata, slices } = capturing;
  const { body, format } = resultOf(capturing);
  return { ...arrivedAt(options, activity), body, format, mimeType: mimeTypes[format], warnings, metadata, slices };
}

function arrivedAt({ url }: CaptureOptions, { document }: PageActivity): Pick<Capture, "finalUrl" | "statusCode"> {
  if (url === undefined) return { finalUrl: null, statusCode: null };
  return { finalUrl: withoutCredentials(document.url), statusCode: document.response?.status() ?? null };
}

/** The outcome of `work`, or `StepTimeout` once the signal aborts; a late failure of `work` is not an accident then. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new StepTimeout()), { once: true });
  });
  return Promise.race([work, aborted]);
}

function reportOf(activity: PageActivity | undefined): TargetReport {
  const document = activity?.document;
  return report(document?.url ?? null, document?.netError ?? null, document?.response?.status() ?? null);
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BrowserLost && error.end === "out-of-memory") {
    const message = "The page used more memory than a capture may. Nothing was billed; capture a smaller page or part.";
    return new ApiError("INTERNAL_ERROR", message, { cause: error });
  }
  if (error instanceof BrowserLost) {
    const message = "The browser crashed while rendering this page, also at a second attempt. Nothing was billed.";
    return new ApiError("INTERNAL_ERROR", message, { cause: error });
  }
  return internalError(error);
}
