// Selects the caller's clip rectangle as the area of the image.
import { clipOutsidePage } from "../../errors/option-errors.ts";
import { type PicturedArea, pictureArea } from "../../formats/screenshot/picture-area.ts";
import { type Area, intersect } from "../../geometry/area.ts";
import { measureLayout } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

type PictureOptions = Pick<PicturedArea, "finishesAnimations" | "isTransparent">;

interface SelectClip {
  readonly area: Area;
  /** For an image, which shows the area as it is while it is in view. */
  readonly picture?: PictureOptions;
}

export const selectClip: StepFactory<CaptureStep, SelectClip> = captureStep({
  name: "select-clip",
  run: async (page, { area, picture }) => {
    const { metrics, scale } = await measureLayout(page);
    const { cssContentSize, cssLayoutViewport } = metrics;
    const size = {
      width: Math.max(cssContentSize.width, cssLayoutViewport.clientWidth),
      height: Math.max(cssContentSize.height, cssLayoutViewport.clientHeight),
    };
    if (!intersect(area, { x: 0, y: 0, ...size })) throw clipOutsidePage(area, size);
    const taken = picture && (await pictureArea({ ...page, scale }, { area, measure: async () => area, ...picture }));
    return { area, scale, ...(taken && { tiles: taken.tiles }) };
  },
});
