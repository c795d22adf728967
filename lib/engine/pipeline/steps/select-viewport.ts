// Selects the viewport as the area of the image.
import { measureViewport } from "../../page/viewport.ts";
import type { CaptureStep } from "../step-definition.ts";

export const selectViewport: CaptureStep<"select-viewport"> = {
  name: "select-viewport",
  phase: "capture",
  run: measureViewport,
};
