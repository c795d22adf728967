// Removes everything but one element from the page, for a PDF of that element.
import { isolateElement } from "../../outputs/pdf/pdf.ts";
import { type ElementTarget, waitForElement, warnOfTransparentElements } from "../../page/elements.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const isolateElementStep: StepFactory<CaptureStep, ElementTarget> = captureStep({
  name: "isolate-element",
  phase: "capture",
  run: async (page, element) => {
    if (!(await waitForElement(page, "selector", element))) return;
    await warnOfTransparentElements(page, element.selector, { every: false });
    await isolateElement(page, element.selector);
  },
});
