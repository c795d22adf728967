// Finishes CSS animations and transitions, and waits for what scripts animate, such as charts.

import { waitForAnimations } from "../../page/canvases.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import type { CaptureStep } from "../step-definition.ts";

interface FinishAnimations {
  /** True for a capture of more than the window: scroll-driven animations keep the progress that they have in view. */
  readonly areScrollDrivenHeld?: true;
}

export const finishAnimations: CaptureStep<"finish-animations", FinishAnimations> = {
  name: "finish-animations",
  phase: "capture",
  run: async (page, { areScrollDrivenHeld }) => {
    const finish = () => evaluateInIsolatedWorld(page, "finishAnimations", areScrollDrivenHeld ?? false);
    await finish();
    await waitForAnimations(page);
    if (page.frameScheduler?.virtualTime) await finish(); // those that scripts have started meanwhile
    return { areAnimationsFinished: true };
  },
};
