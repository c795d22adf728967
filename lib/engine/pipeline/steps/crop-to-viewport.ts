// Crops the area of the image to the viewport.
import { ApiError } from "../../../contract/errors/api-error.ts";
import { intersect } from "../../geometry/area.ts";
import { measureViewport } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const cropToViewport: StepFactory<CaptureStep> = captureStep({
  name: "crop-to-viewport",
  run: async (page) => {
    const viewport = await measureViewport(page);
    const area = intersect(page.area, viewport.area);
    if (area) return { area, scale: viewport.scale };
    const message = "The area to capture is outside the viewport. Set capture_beyond_viewport=true.";
    throw new ApiError("SELECTOR_NOT_FOUND", message, { details: { capture_beyond_viewport: [message] } });
  },
});
