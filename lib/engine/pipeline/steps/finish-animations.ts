// Finishes CSS animations and transitions, and waits for what scripts animate, such as charts.

import { finishAnimations } from "../../page/animations.ts";
import type { CaptureStep } from "../step-definition.ts";

interface FinishAnimations {
  /** True for a capture of more than the window: scroll-driven animations keep the progress that they have in view. */
  readonly areScrollDrivenHeld?: true;
}

export const finishAnimationsStep: CaptureStep<"finish-animations", FinishAnimations> = {
  name: "finish-animations",
  phase: "capture",
  run: async (page, { areScrollDrivenHeld }) => {
    await finishAnimations(page, areScrollDrivenHeld ?? false);
    return { areAnimationsFinished: true };
  },
};
