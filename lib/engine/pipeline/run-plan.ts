// Runs the plan of a capture: prepare → navigate → [ready → confirm → capture → verify] → encode. The bracket is a loop:
// it is repeated when the page navigates while it is captured, and its second half when the screenshot is blank. Plans that
// share the load of the page are captured after the first one, each as confirm → capture → verify → encode, once the rest of
// its ready steps has run.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { ElementAbsentError } from "../errors/option-errors.ts";
import { capturedBeforeReady } from "../errors/timeout-errors.ts";
import { assertImageSize } from "../formats/screenshot/image-settings.ts";
import { splitIntoTiles } from "../geometry/area.ts";
import { assertNotNavigated } from "../overlays/page-left.ts";
import { rememberPage, restorePage } from "../page/page-state.ts";
import { hardAllowance } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import { describeAwaited } from "./awaited.ts";
import { type CapturingPage, type LaunchedPage, type NavigatedPage, startCapture } from "./capture-state.ts";
import type { PhaseClock, WaitOutcome } from "./phase-clock.ts";
import { imageSettings } from "./plan/image.ts";
import { changesPage } from "./plan/page-changes.ts";
import type { CapturePlan } from "./plan/plan.ts";
import { sharesPicture } from "./plan/shared-picture.ts";
import type { AnyStep, ReadyStep, Step } from "./step.ts";

/** An output of a page, and its plan. */
export interface PlannedOutput {
  readonly options: EngineOptions;
  readonly plan: CapturePlan;
}

export interface PlanRun {
  readonly plan: CapturePlan;
  /** Further outputs of the same load, in their order. */
  readonly following: readonly PlannedOutput[];
  readonly clock: PhaseClock;
  /** True for `on_timeout=capture`: the page is captured as it is when the time of the waits is up. */
  readonly givesUpWaits: boolean;
  readonly progress: PlanProgress;
}

/** How far a run has come, for the error or the partial capture when its time runs out. */
export interface PlanProgress {
  step?: AnyStep;
  /** The warning of the wait that was given up; undefined while none was. */
  givenUp?: string | undefined;
  /** The outputs so far, in the order of their plans. */
  readonly captured: CapturingPage[];
  /** The error of the output after these, where a capture of that output alone has it as well. */
  failed?: ElementAbsentError;
}

/**
 * Runs a plan on a page, and those that follow, and adds the page with the output of each to the progress. Stops before an
 * output that needs a load of its own: because the page has navigated, because the changes for the last output can't be taken
 * back, or because its picture is too large to be shared. Throws the ApiError of the step that failed, `TimeoutError` when its
 * time ran out, and `PageLeftError` when a click on a banner or dialog navigated to another page.
 */
export async function runPlan(run: PlanRun, launched: LaunchedPage): Promise<void> {
  const { plan, following, progress } = run;
  const prepared = await runSteps(run, plan.prepare, launched);
  const navigated = await runStep(run, plan.navigate, prepared);
  const first = await captureFinalDocument(run, navigated);
  let { ready } = first;
  const { documentId } = ready.activity;
  progress.captured.push(await runSteps(run, plan.encode, first.captured));
  let last = { plan, page: first.captured };
  for (const [index, output] of following.entries()) {
    const own = { ...run, plan: output.plan, following: following.slice(index + 1) };
    if (sharesPicture(last.page.options, output.options)) {
      const pictured = withPictureOf(last.page, output.options);
      if (!pictured) return;
      progress.captured.push(await runSteps(own, output.plan.encode, pictured));
      continue;
    }
    if (changesPage(last.page.options) && !(await restorePage(last.page))) return;
    if (ready.activity.documentId !== documentId) return;
    const next = await captureFollowing(own, output, { ready, doneSteps: last.plan.ready.length });
    if (next === "navigated") return;
    ({ ready } = next);
    last = { plan: output.plan, page: next.captured };
    progress.captured.push(await runSteps(own, output.plan.encode, next.captured));
  }
}

/**
 * The page with the pixels of its last picture, for another image; undefined where a capture of that image alone would
 * paint several tiles. Throws `RESULT_TOO_LARGE`.
 */
function withPictureOf({ output, ...page }: CapturingPage, options: EngineOptions): CapturingPage | undefined {
  const { area, scale, session, warnings, problems } = page;
  const image = imageSettings(options);
  const isOneTile = output?.format === "png" && splitIntoTiles(area, scale).length === 1;
  const tiles = isOneTile ? [output.body] : page.tiles;
  if (!image || tiles.length === 0) return undefined;
  assertImageSize(page, image, session.limits);
  return { ...page, options, tiles, warnings: [...warnings], problems: [...problems] };
}

interface ReadyPage {
  readonly ready: NavigatedPage;
  /** How many of the steps that make the page ready for the next output have run. */
  readonly doneSteps: number;
}

/**
 * Captures another output of a page, after the steps that it needs in addition to those of the one before. An error that a capture of it
 * alone has as well is added to the progress.
 */
async function captureFollowing(
  run: PlanRun,
  { options, plan }: PlannedOutput,
  { ready: { warnings, problems, ...ready }, doneSteps }: ReadyPage,
): Promise<FinalDocument | "navigated"> {
  const { documentId } = ready.activity;
  const loop = newLoop();
  const start = { ...ready, options, warnings: [...warnings], problems: [...problems] };
  const rest = { ...run, plan: { ...plan, ready: plan.ready.slice(doneSteps) } };
  const page = await makeReady(rest, start, loop);
  if (page.activity.documentId !== documentId) return "navigated";
  try {
    const captured = await captureConfirmedDocument(run, page, loop);
    return captured === "navigated" ? captured : { ready: withOwnReports(page), captured };
  } catch (error) {
    const isSameDocument = ready.activity.documentId === documentId;
    if (error instanceof ElementAbsentError && isSameDocument) run.progress.failed = error;
    throw error;
  }
}

/** The page once it was captured, and as it was right before, for further outputs. */
interface FinalDocument {
  readonly ready: NavigatedPage;
  readonly captured: CapturingPage;
}

/** The page with copies of what was reported so far, to which further steps don't add. */
function withOwnReports(page: NavigatedPage): NavigatedPage {
  return { ...page, warnings: [...page.warnings], problems: [...page.problems] };
}

/** Captures the page once it stays on one document: if it navigates while it is captured, it is captured again. */
async function captureFinalDocument(run: PlanRun, navigated: NavigatedPage): Promise<FinalDocument> {
  const loop = newLoop();
  let page = navigated;
  for (;;) {
    page = await makeReady(run, page, loop);
    const ready = withOwnReports(page);
    const captured = await captureConfirmedDocument(run, page, loop);
    if (captured !== "navigated") return { ready, captured };
    page.warnings.length = 0;
    page.problems.length = 0;
    run.progress.givenUp = undefined;
    loop.isRepeated = true;
  }
}

/** What the repetitions of a capture share. */
interface CaptureLoop {
  /** True once the page has navigated while it was captured. */
  isRepeated: boolean;
  /** True once a blank screenshot was discarded. */
  isRetake: boolean;
  /** Id of the last document to which the caller's styles were applied. */
  styledDocument: string | undefined;
}

function newLoop(): CaptureLoop {
  return { isRepeated: false, isRetake: false, styledDocument: undefined };
}

/** Confirms the document and captures it. A blank screenshot is retaken once. */
async function captureConfirmedDocument(
  run: PlanRun,
  ready: NavigatedPage,
  loop: CaptureLoop,
): Promise<CapturingPage | "navigated"> {
  const { plan } = run;
  const { activity, warnings, problems } = ready;
  let page = ready;
  if (mustRestore(run, ready)) await rememberPage(page);
  for (;;) {
    page = await runStep(run, plan.confirm, page);
    const { documentId } = activity;
    const [confirmedWarnings, confirmedProblems] = [warnings.length, problems.length];
    const captured = await runSteps(run, plan.capture, startCapture(page, loop));
    if (needsSameDocument(plan) && activity.documentId !== documentId) return "navigated";
    if (!(await mustRetake(run, captured))) return captured;
    loop.isRetake = true;
    warnings.length = confirmedWarnings;
    problems.length = confirmedProblems;
    for (const step of plan.ready) if (step.takesPictures) page = await runStep(run, step, page);
  }
}

/** True for an output that changes the page, after which another one is captured that is not encoded from its picture. */
function mustRestore({ following }: PlanRun, { options }: NavigatedPage): boolean {
  return changesPage(options) && following.some((output) => !sharesPicture(options, output.options));
}

function needsSameDocument({ capture }: CapturePlan): boolean {
  return capture.some((step) => step.needsSameDocument);
}

async function mustRetake(run: PlanRun, captured: CapturingPage): Promise<boolean> {
  for (const step of run.plan.verify) {
    const verdict = await measureStep(run, step, captured);
    if (verdict?.mustRetake) return true;
  }
  return false;
}

/** Waits for the page and interacts with it. With `on_timeout=capture`, the remaining waits are given up when their time is up. */
async function makeReady(run: PlanRun, navigated: NavigatedPage, loop: CaptureLoop): Promise<NavigatedPage> {
  let page = navigated;
  for (const step of run.plan.ready) {
    assertNotNavigated(page);
    const { mayNavigate, runsOnce, phase } = step;
    if (mayNavigate) page.overlays.dismissal = undefined;
    if (runsOnce && loop.isRepeated) continue; // it may have caused the navigation, and would cause another one
    run.progress.step = step;
    const runStepInTime = () => {
      const work = runReadyStep(run, step, page, loop);
      return run.givesUpWaits ? whileThereIsTime(page, work) : work;
    };
    const warned = page.warnings.length;
    let isLate = false;
    const next = await run.clock.measure(
      phase,
      async () => {
        const result = await runStepInTime();
        isLate = result === "late";
        return result;
      },
      {
        name: step.name,
        awaited: step.awaited,
        outcome: () => waitOutcome(step, { isLate, hasWarned: page.warnings.length > warned }),
      },
    );
    if (next === "late") {
      run.progress.givenUp = capturedBeforeReady(describeAwaited(step), page.activity.pending());
      page.warnings.push(run.progress.givenUp);
      return page;
    }
    page = next;
  }
  return page;
}

/** How a step's wait ended; undefined for a step that waits for nothing. A wait that its own limit ended has added a warning. */
function waitOutcome(
  { awaited }: ReadyStep,
  { isLate, hasWarned }: { readonly isLate: boolean; readonly hasWarned: boolean },
): WaitOutcome | undefined {
  if (awaited === undefined) return undefined;
  if (isLate) return "gave_up";
  return hasWarned ? "capped" : "met";
}

/** Runs a ready step. When that led to another document, the caller's styles are applied to it as well. */
async function runReadyStep(
  run: PlanRun,
  step: ReadyStep,
  page: NavigatedPage,
  loop: CaptureLoop,
): Promise<NavigatedPage> {
  const { activity } = page;
  const next = { ...page, ...(await step.run(page)) };
  if (step.appliesToEveryDocument) loop.styledDocument = activity.documentId;
  if (loop.styledDocument === undefined || loop.styledDocument === activity.documentId) return next;
  loop.styledDocument = activity.documentId;
  for (const each of run.plan.ready) if (each.appliesToEveryDocument) await each.run(next);
  return next;
}

/** Resolves to "late" when `work` takes longer than the time for waits, or fails because that time was up. */
async function whileThereIsTime<T>({ budget, now }: NavigatedPage, work: Promise<T>): Promise<T | "late"> {
  const done = work.catch((error) => {
    const isLate = error instanceof TimeoutError || (isFailedWait(error) && hardAllowance(budget, now()) < EARLY_MS);
    if (!isLate) throw error;
    return "late" as const;
  });
  return (await withTimeout(done, hardAllowance(budget, now()))) ?? "late";
}

/** Timers may fire this early: they count whole milliseconds from the start of the event loop's iteration that sets them. */
const EARLY_MS = 50;

/** True for the errors of waits that lasted until the end of their time. */
function isFailedWait(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "SELECTOR_NOT_FOUND" || error.code === "EXPRESSION_FAILED");
}

async function runSteps<Page extends LaunchedPage>(
  run: PlanRun,
  steps: readonly Step<Page, object>[],
  start: Page,
): Promise<Page> {
  let page = start;
  for (const step of steps) page = await runStep(run, step, page);
  return page;
}

/** Returns the page with what the step changed. */
async function runStep<Page extends LaunchedPage>(run: PlanRun, step: Step<Page, object>, page: Page): Promise<Page> {
  return { ...page, ...(await measureStep(run, step, page)) };
}

/** Returns what the step changed. */
function measureStep<Page extends LaunchedPage, Change>(
  run: PlanRun,
  step: Step<Page, Change>,
  page: Page,
): Promise<Change | undefined> {
  assertNotNavigated(page);
  run.progress.step = step;
  return run.clock.measure(step.phase, async () => (await step.run(page)) ?? undefined, { name: step.name });
}
