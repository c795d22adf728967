// Applies the caller's styles to shadow roots that have appeared since, and warns of selectors that hide nothing.
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface CompleteStyles {
  /** Those of `hide_selectors`. */
  readonly hidden: readonly string[];
}

export const completeStyles: StepFactory<CaptureStep, CompleteStyles> = captureStep({
  name: "complete-styles",
  run: async (page, { hidden }) => {
    await evaluateInIsolatedWorld(page, "styleShadowRoots");
    const unmatched = await evaluateInIsolatedWorld(page, "findUnmatched", [...hidden]);
    for (const selector of unmatched) {
      page.warnings.push(`No element matched the selector '${selector}' of 'hide_selectors'.`);
    }
  },
});
