// Fits the window to the size of a video that shows a part of the page, and scrolls that part into view.

import { ApiError } from "../../../contract/errors/api-error.ts";
import type { ImageArea } from "../../formats/screenshot/image-settings.ts";
import { videoSize, type WantedSize } from "../../formats/video/video-size.ts";
import { fitWindowToVideo } from "../../formats/video/video-window.ts";
import { type Area, intersect } from "../../geometry/area.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { scrollToOffsetInPage } from "../../page/scrolling.ts";
import { measureViewport } from "../../page/viewport.ts";
import type { CapturingPage } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface FitArea {
  readonly size: WantedSize;
}

export const fitArea: StepFactory<CaptureStep, FitArea> = captureStep({
  name: "fit-area-to-video",
  run: async (page, { size }) => {
    const { area, scale } = await scrollAreaIntoView(page);
    const fitted = videoSize(size, area, scale);
    await fitWindowToVideo(page, fitted, area);
    return { videoSize: fitted, scale };
  },
});

/** Returns the part of the area that the window can show. Throws `SELECTOR_NOT_FOUND` when that is nothing. */
async function scrollAreaIntoView(page: CapturingPage): Promise<ImageArea> {
  const { area } = page;
  const isWhole = (shown: Area | undefined) => shown?.width === area.width && shown.height === area.height;
  const viewport = await measureViewport(page);
  const shown = intersect(area, viewport.area);
  if (shown && isWhole(shown)) return { area: shown, scale: viewport.scale };
  await evaluateInIsolatedWorld(page, scrollToOffsetInPage, area.y);
  await keepHover(page, { mayScroll: false });
  const scrolled = await measureViewport(page);
  const part = intersect(area, scrolled.area);
  if (!part) {
    const message = "The area to record is beyond the end of the page. Lower clip_x and clip_y.";
    throw new ApiError("SELECTOR_NOT_FOUND", message, { details: { clip_y: ["lies beyond the end of the page"] } });
  }
  if (!isWhole(part))
    page.warnings.push("The video shows only the part of the selected area that the window can show.");
  return { area: part, scale: scrolled.scale };
}
