// What each step of a plan does to the page, by the step's name.
import type { CaptureState } from "./capture-context.ts";
import type { Step, StepName } from "./step.ts";
import type { Action } from "./steps/actions.ts";
import { blockActions } from "./steps/block.ts";
import { resultActions } from "./steps/encode.ts";
import { frameActions } from "./steps/frame.ts";
import { changeActions } from "./steps/interact.ts";
import { arriveActions } from "./steps/navigate.ts";
import { prepareActions } from "./steps/prepare.ts";
import { filmActions } from "./steps/record.ts";
import { shootActions } from "./steps/screenshot.ts";
import { settleActions } from "./steps/wait.ts";

const actions: { readonly [N in StepName]: Action<N> } = {
  ...prepareActions,
  ...blockActions,
  ...arriveActions,
  ...settleActions,
  ...changeActions,
  ...frameActions,
  ...shootActions,
  ...filmActions,
  ...resultActions,
};

/** Carries out one step. Throws an ApiError that says why it could not, or `StepTimeout` when its time was up. */
export async function perform(capturing: CaptureState, step: Step): Promise<void> {
  // The table pairs each name with an action for that very step, which TypeScript cannot see through the union.
  await (actions[step.name] as Action<StepName>)(capturing, step);
}
