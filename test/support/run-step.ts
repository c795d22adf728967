// Runs one step of a capture's plan on a page of a warm browser, for tests of what the step does and of the error with which it fails.
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import type { CapturingPage, Output } from "../../lib/engine/pipeline/capture-state.ts";
import { planCapture } from "../../lib/engine/pipeline/plan/plan.ts";
import { createBudget } from "../../lib/engine/timing/budget.ts";

export interface RunStepSettings {
  /** Time of the capture that is left, in seconds. @default 30 */
  readonly leftS?: number;
}

export interface StepOutcome extends Partial<Output> {
  readonly warnings: readonly string[];
}

/** Runs the step that a capture with these options has under `name`. Rejects with the step's error. */
export async function runStep(
  page: CapturingPage,
  name: string,
  options: Readonly<Record<string, unknown>>,
  { leftS = 30 }: RunStepSettings = {},
): Promise<StepOutcome> {
  const { ready, capture } = planCapture(parseCaptureOptions({ html: "<p>", ...options }));
  const step = [...ready, ...capture].find((each) => each.name === name);
  if (!step) throw new Error(`There is no step ${name}.`);
  const warnings: string[] = [];
  const change = await step.run({ ...page, warnings, budget: createBudget(performance.now(), leftS) });
  return { ...change, warnings };
}
