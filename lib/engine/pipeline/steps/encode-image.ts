// Joins the tiles of the screenshot, resizes the image, marks its elements, and encodes it, unless Chromium has encoded it already.
import { annotateImage } from "../../formats/annotation/annotate-image.ts";
import { type ImageSettings, wholeImageFormat } from "../../formats/screenshot/image-settings.ts";
import { composeImage } from "../../formats/screenshot/raster.ts";
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
    const annotation = page.located && annotateImage(page.located, page, resizing);
    const { body } = await composeImage(page.tiles, {
      encoding: { format, quality, fast },
      resizing,
      overlays: annotation?.overlays,
      timeoutMs,
    });
    if (!annotation) return { output: { body, format } };
    if (annotation.left > 0)
      page.warnings.push(`The image has no room for the numbers of ${annotation.left} elements; they are not marked.`);
    return { output: { body, format }, metadata: { ...page.metadata, marks: annotation.marks } };
  },
});
