// Reports the size of the video in the metadata.
import { fittedSize } from "../../outputs/video/video-size.ts";
import { type EncodeStep, encodeStep, type StepFactory } from "../step.ts";

export const reportVideoSize: StepFactory<EncodeStep> = encodeStep({
  name: "report-video-size",
  phase: "encode",
  run: async (page) => {
    const { width, height } = fittedSize(page.videoSize);
    return { metadata: { ...page.metadata, image_size: { width, height } } };
  },
});
