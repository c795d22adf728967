// The plan of a capture carried out on its page: each step timed, some of them given up in time, all again when the page leaves.

import { ApiError } from "../../errors/api-error.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import { assertNotNavigated } from "../overlays/page-left.ts";
import { hardAllowance } from "./budget.ts";
import { type CaptureState, StepTimeout } from "./capture-context.ts";
import { notReady } from "./capture-failure.ts";
import type { PhaseClock } from "./phase-clock.ts";
import { type Step, stepPhase } from "./step.ts";
import { perform } from "./steps.ts";
import { describeWait } from "./waited-for.ts";
import { withTimeout } from "./with-timeout.ts";

export interface PlanRun {
  readonly steps: readonly Step[];
  readonly clock: PhaseClock;
  /** Told of each step. */
  readonly begun: (step: Step) => void;
}

/** Carries out the steps of a plan. Throws `PageLeft` when a click on a banner or dialog has led to another page. */
export async function runPlan(
  options: CaptureOptions,
  capturing: CaptureState,
  { steps, clock, begun }: PlanRun,
): Promise<void> {
  const { activity, warnings } = capturing;
  const [settling, confirming] = [indexOf(steps, "await-load"), indexOf(steps, "confirm-document")];
  let isRepeated = false;
  let dressed: string | undefined;
  let warned = 0;
  for (let next = 0; next < steps.length; next++) {
    const step = steps[next] as Step;
    assertNotNavigated(capturing);
    if (step.name === "click" || step.name === "run-scripts") capturing.dismissal = undefined;
    if (isRepeated && step.name === "click") continue; // it may be what led here, and would lead elsewhere again
    const isWait = next >= settling && next < confirming;
    begun(step);
    const work = async () => {
      await perform(capturing, step);
      // A click can lead to another page, which is to look as the caller wishes, too.
      if (isDress(step)) dressed = activity.documentId;
      if (!isWait || dressed === undefined || dressed === activity.documentId) return;
      dressed = activity.documentId;
      for (const each of steps.filter(isDress)) await perform(capturing, each);
    };
    if (isWait && options.on_timeout === "capture") {
      const warning = await clock.measure(stepPhase[step.name], () => inTime(capturing, step, work));
      if (warning === undefined) continue;
      warnings.push(warning);
      capturing.givenUp = warning;
      next = confirming - 1;
      continue;
    }
    await clock.measure(stepPhase[step.name], work);
    if (step.name === "confirm-document") {
      capturing.confirmed = activity.documentId;
      warned = warnings.length;
    }
    if (capturing.retake === "due") {
      forgetPicture(capturing);
      capturing.retake = "done";
      warnings.length = warned;
      next = confirming - 1;
    }
    // A page that went elsewhere while its picture was taken is settled and taken again, until its time is up.
    if (isShot(step) && capturing.confirmed !== activity.documentId) {
      forgetPicture(capturing);
      warnings.length = 0;
      capturing.givenUp = undefined;
      isRepeated = true;
      next = settling - 1;
    }
  }
}

function forgetPicture(capturing: CaptureState): void {
  Object.assign(capturing, { output: undefined, strips: [], metadata: {} });
}

function indexOf(steps: readonly Step[], name: Step["name"]): number {
  return steps.findIndex((step) => step.name === name);
}

function isShot({ name }: Step): boolean {
  return name === "shoot" || name === "shoot-sections" || name === "print" || name === "write-document";
}

/** What a document looks like by the caller's wish: the next document needs it again. */
function isDress({ name }: Step): boolean {
  return name === "add-styles" || name === "hide";
}

/** Carries out a step while there is time for it; otherwise tells what the capture now goes on without. */
async function inTime(capturing: CaptureState, step: Step, work: () => Promise<void>): Promise<string | undefined> {
  const { budget, now, activity } = capturing;
  const done = work().then(
    () => "done" as const,
    (error) => {
      if (error instanceof StepTimeout || (isVain(error) && hardAllowance(budget, now()) < EARLY_MS)) {
        return "late" as const;
      }
      throw error;
    },
  );
  const outcome = await withTimeout(done, hardAllowance(budget, now()));
  return outcome === "done" ? undefined : notReady(describeWait(step), activity.pending());
}

/**
 * So much before its time a wait can end: a timer counts from when the turn of the event loop began in which it is set,
 * and in whole milliseconds.
 */
const EARLY_MS = 50;

/** What was waited for until the end did not come. */
function isVain(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "SELECTOR_NOT_FOUND" || error.code === "EXPRESSION_FAILED");
}
