// Finishes CSS animations and transitions, and waits for what scripts animate, such as charts.

import { finishAnimations } from "../../page/animations.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface FinishAnimations {
  /** True for a capture of more than the window: scroll-driven animations keep the progress that they have in view. */
  readonly areScrollDrivenHeld?: true;
}

export const finishAnimationsStep: StepFactory<CaptureStep, FinishAnimations> = captureStep({
  name: "finish-animations",
  phase: "capture",
  run: async (page, { areScrollDrivenHeld }) => {
    await finishAnimations(page, areScrollDrivenHeld ?? false);
    return { areAnimationsFinished: true };
  },
});
