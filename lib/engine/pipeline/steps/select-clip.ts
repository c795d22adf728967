// Selects the caller's clip rectangle as the area of the image.
import { clipOutsidePage } from "../../errors/option-errors.ts";
import { type Area, intersect } from "../../geometry/area.ts";
import { scrollThroughArea } from "../../outputs/screenshot/scroll-area.ts";
import { measureLayout } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface SelectClip {
  readonly area: Area;
  /** True for an image, which shows the area as it is while it is in view. */
  readonly isCompared?: boolean;
}

export const selectClip: StepFactory<CaptureStep, SelectClip> = captureStep({
  name: "select-clip",
  run: async (page, { area, isCompared = false }) => {
    const { metrics, scale } = await measureLayout(page);
    const { cssContentSize, cssLayoutViewport } = metrics;
    const size = {
      width: Math.max(cssContentSize.width, cssLayoutViewport.clientWidth),
      height: Math.max(cssContentSize.height, cssLayoutViewport.clientHeight),
    };
    if (!intersect(area, { x: 0, y: 0, ...size })) throw clipOutsidePage(area, size);
    return { area, scale, ...(isCompared && (await scrollThroughArea({ ...page, scale }, area))) };
  },
});
