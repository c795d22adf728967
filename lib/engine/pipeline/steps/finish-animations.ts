// Finishes CSS animations and transitions, and waits for canvases that draw charts.

import { waitForCanvases } from "../../page/canvases.ts";
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
    await evaluateInIsolatedWorld(page, "finishAnimations", areScrollDrivenHeld ?? false);
    await waitForCanvases(page);
    return { areAnimationsFinished: true };
  },
};
