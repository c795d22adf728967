// Launches the second browser that encodes an MP4 or WebM video.
import { prepareEncoderPage } from "../../outputs/video/web-codecs-encoder.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

export const startEncoder: StepFactory<PrepareStep> = prepareStep({
  name: "start-encoder",
  phase: "browser",
  run: async ({ launch }) => {
    // It launches while the page loads; a failure is reported when the encoder is used.
    const encoder = launch({ frameMode: "continuous", recordsVideo: false });
    encoder.then(prepareEncoderPage).catch(() => undefined);
    return { encoder };
  },
});
