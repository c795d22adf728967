// Joins the tiles of the screenshot, resizes the image and encodes it, unless Chromium has encoded it already.
import { type ImageSettings, wholeImageFormat } from "../../outputs/screenshot/image-settings.ts";
import { composeImage } from "../../outputs/screenshot/raster.ts";
import { softAllowance } from "../../timing/budget.ts";
import { type EncodeStep, encodeStep, type StepFactory } from "../step.ts";

interface EncodeImage {
  readonly image: ImageSettings;
}

export const encodeImage: StepFactory<EncodeStep, EncodeImage> = encodeStep({
  name: "encode-image",
  run: async (page, { image }) => {
    if (page.output) return;
    const { quality, fast, resizing } = image;
    const format = wholeImageFormat(page, image);
    const timeoutMs = softAllowance(page.budget, page.now(), Number.POSITIVE_INFINITY);
    const { body } = await composeImage(page.tiles, { encoding: { format, quality, fast }, resizing, timeoutMs });
    return { output: { body, format } };
  },
});
