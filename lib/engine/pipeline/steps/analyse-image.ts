// Reads the size and the dominant colours of the encoded image.
import { dominantColors } from "../../formats/screenshot/dominant-colors.ts";
import { imageSize } from "../../formats/screenshot/raster.ts";
import { requireOutput } from "../capture-state.ts";
import { type EncodeStep, encodeStep, type StepFactory } from "../step.ts";

const PALETTE_COLOURS = 6;

interface AnalyseImage {
  readonly size: boolean;
  readonly palette: boolean;
}

export const analyseImage: StepFactory<EncodeStep, AnalyseImage> = encodeStep({
  name: "analyse-image",
  run: async (page, { size, palette }) => {
    const { body } = requireOutput(page);
    return {
      metadata: {
        ...page.metadata,
        ...(size && { image_size: await imageSize(body) }),
        ...(palette && { palette: await dominantColors(body, PALETTE_COLOURS) }),
      },
    };
  },
});
