// Records a video frame by frame in virtual time: the page's clock advances by exactly one frame at a time.
import { idleCheck } from "../../browser/process-idle.ts";
import { encodeVideo } from "../../formats/video/encode-video.ts";
import { recordFrames } from "../../formats/video/record-frames.ts";
import { createScrollScenario } from "../../formats/video/scrolling.ts";
import type { VideoRecording } from "../../formats/video/video-recording.ts";
import { fittedSize } from "../../formats/video/video-size.ts";
import { MAX_LAST_FRAME_MS } from "../../formats/video/video-window.ts";
import { BeginFrames } from "../../rendering/begin-frame.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface RecordVideo {
  readonly video: VideoRecording;
}

export const recordVideo: StepFactory<CaptureStep, RecordVideo> = captureStep({
  name: "record-video",
  awaits: () => AWAITED_VIDEO,
  advises: () => "lower video_duration",
  run: async (page, { video }) => {
    const { session, frameScheduler, encoder } = page;
    const { cdp, limits } = session;
    const size = fittedSize(page.videoSize);
    const prepare = video.scroll && (await createScrollScenario(page, video.scroll, video));
    await frameScheduler?.stop(MAX_LAST_FRAME_MS);
    const encoded = await encodeVideo({ video, size, limits, encoder }, (recording) =>
      recordFrames(cdp, new BeginFrames(cdp, idleCheck(session.browser)), {
        ...recording,
        ...(prepare && { prepare }),
      }),
    );
    return { output: { ...encoded, format: video.format } };
  },
});

export const AWAITED_VIDEO =
  "the video to be rendered; a shorter or smaller video, or fewer frames per second, take less time";
