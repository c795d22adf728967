// Finishes CSS animations and transitions, and waits for canvases that draw charts.
import { finishAnimations as finish, holdScrollDriven } from "../../injected/still.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForCanvases } from "../../rendering/canvases.ts";
import type { CaptureStep } from "../step-definition.ts";

interface FinishAnimations {
  /** True for a capture of more than the window: scroll-driven animations keep the progress that they have in view. */
  readonly areScrollDrivenHeld?: true;
}

export const finishAnimations: CaptureStep<"finish-animations", FinishAnimations> = {
  name: "finish-animations",
  phase: "capture",
  run: async (page, { areScrollDrivenHeld }) => {
    await evaluateInIsolatedWorld(page, finish, areScrollDrivenHeld ?? false, holdScrollDriven);
    await waitForCanvases(page);
    return { areAnimationsFinished: true };
  },
};
