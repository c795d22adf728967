// Cuts the image into slices.

import { encodableFormat, type ImageSettings } from "../../formats/screenshot/image-settings.ts";
import { sliceImage } from "../../formats/screenshot/slices.ts";
import { toDevicePixels } from "../../geometry/area.ts";
import { remaining } from "../../timing/budget.ts";
import { type EncodeStep, encodeStep, type StepFactory } from "../step.ts";

interface SliceImage {
  /** In CSS pixels. */
  readonly height: number;
  /** CSS pixels that a slice has in common with the one before it. */
  readonly overlap: number;
  readonly image: ImageSettings;
}

export const sliceImageStep: StepFactory<EncodeStep, SliceImage> = encodeStep({
  name: "slice-image",
  run: async (page, { height, overlap, image }) => {
    const { area, scale, tiles, session, budget, now, warnings } = page;
    const rows = Math.round(height * scale);
    const slice = { ...toDevicePixels(area, scale), height: rows };
    const slices = await sliceImage(tiles, {
      height: rows,
      overlap: Math.round(overlap * scale),
      encoding: { format: encodableFormat(slice, image, warnings), quality: image.quality, fast: image.fast },
      timeLeft: () => remaining(budget, now()),
      limits: session.limits,
    });
    return { slices };
  },
});
