// Gives elements the styles that they had while the page was scrolled to them, such as those of reveals and parallax.
import { isTimeRunning, restoreInViewInPage } from "../../page/in-view.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { restoreInFrames } from "../../page/page-frames.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const restoreInViewStep: StepFactory<CaptureStep> = captureStep({
  name: "restore-in-view",
  run: async (page) => {
    if (page.isJavaScriptDisabled) return;
    if (page.framing) await restoreInFrames(page);
    await evaluateInIsolatedWorld(page, restoreInViewInPage, isTimeRunning(page));
  },
});
