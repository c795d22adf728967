// Selects the viewport as the area of the image.
import { measureViewport } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const selectViewport: StepFactory<CaptureStep> = captureStep({
  name: "select-viewport",
  phase: "capture",
  run: measureViewport,
});
