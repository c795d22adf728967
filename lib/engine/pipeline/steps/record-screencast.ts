// Records a video in real time by a screencast, of a page whose clock cannot be controlled.
import { encodeVideo } from "../../formats/video/encode-video.ts";
import { recordScreen } from "../../formats/video/screencast.ts";
import { createScrollScenario } from "../../formats/video/scrolling.ts";
import type { VideoRecording } from "../../formats/video/video-recording.ts";
import { fittedSize } from "../../formats/video/video-size.ts";
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
