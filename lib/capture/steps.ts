// What each step of a plan does to the page, by the step's name.
import type { Capturing } from "./capturing.ts";
import type { Step, StepName } from "./step.ts";
import type { Action } from "./steps/actions.ts";
import { arriveActions } from "./steps/arrive.ts";
import { blockActions } from "./steps/block.ts";
import { changeActions } from "./steps/change.ts";
import { filmActions } from "./steps/film.ts";
import { frameActions } from "./steps/frame.ts";
import { prepareActions } from "./steps/prepare.ts";
import { resultActions } from "./steps/result.ts";
import { settleActions } from "./steps/settle.ts";
import { shootActions } from "./steps/shoot.ts";

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
export async function perform(capturing: Capturing, step: Step): Promise<void> {
  // The table pairs each name with an action for that very step, which TypeScript cannot see through the union.
  await (actions[step.name] as Action<StepName>)(capturing, step);
}
