// Records a video in real time by a screencast, of a page whose clock cannot be controlled.
import { encodeVideo } from "../../outputs/video/encode-video.ts";
import { recordScreen } from "../../outputs/video/screencast.ts";
import { createScrollScenario } from "../../outputs/video/scrolling.ts";
import type { VideoRecording } from "../../outputs/video/video-recording.ts";
import { fittedSize } from "../../outputs/video/video-size.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";
import { AWAITED_VIDEO } from "./record-video.ts";

interface RecordScreencast {
  readonly video: VideoRecording;
}

export const recordScreencast: StepFactory<CaptureStep, RecordScreencast> = captureStep({
  name: "record-screencast",
  awaits: () => AWAITED_VIDEO,
  run: async (page, { video }) => {
    const { session, encoder } = page;
    const { cdp, limits } = session;
    const size = fittedSize(page.videoSize);
    const { width, height } = size;
    const prepare = video.scroll && (await createScrollScenario(page, video.scroll, video));
    const encoded = await encodeVideo({ video, size, limits, encoder }, (recording) =>
      recordScreen(cdp, { ...recording, width, height, ...(prepare && { prepare }) }),
    );
    return { output: { ...encoded, format: video.format } };
  },
});
