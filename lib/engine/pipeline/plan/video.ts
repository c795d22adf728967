// Plans the recording of a video.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { isVideoFormat, type VideoFormat } from "../../../contract/options/formats.ts";
import type { Scrolling } from "../../formats/video/scroll-scenario.ts";
import type { VideoRecording } from "../../formats/video/video-recording.ts";
import { fittedSize, videoSize, type WantedSize } from "../../formats/video/video-size.ts";
import { fitWindowToVideo } from "../../formats/video/video-window.ts";
import { type CaptureStep, captureStep, type EncodeStep, encodeStep } from "../step.ts";
import { fitArea } from "../steps/fit-area-to-video.ts";
import { growWindow } from "../steps/grow-window.ts";
import { judgePageStep } from "../steps/judge-page.ts";
import { loadLazyImages } from "../steps/load-lazy-images.ts";
import { recordScreencast } from "../steps/record-screencast.ts";
import { recordVideo } from "../steps/record-video.ts";
import { finishAnimationsStep, planArea, planScrollIntoView, showsWindow } from "./area.ts";

export function* planVideo(
  options: EngineOptions,
  { isRealTime }: { readonly isRealTime: boolean },
): Generator<CaptureStep> {
  const { format, video_width, video_height, image_width, image_height } = options;
  if (!isVideoFormat(format)) return;
  const video = videoRecording(options, format);
  const size = { video_width, video_height, image_width, image_height };
  const area = planArea(options);
  if (options.disable_animations) yield finishAnimationsStep();
  if (video.scroll) yield loadLazyImages();
  yield* planScrollIntoView(options);
  yield area;
  if (showsWindow(options)) yield fitWindow({ size });
  else {
    yield growWindow();
    yield area; // in a window that grew, the area may be elsewhere
    yield fitArea({ size });
  }
  const judged = { isWhole: video.scroll !== undefined };
  yield judgePageStep({ ...judged, frame: "first" });
  yield (isRealTime ? recordScreencast : recordVideo)({ video });
  yield judgePageStep({ ...judged, frame: "last" });
}

export function* planVideoEncoding({ format, metadata_image_size }: EngineOptions): Generator<EncodeStep> {
  if (isVideoFormat(format) && metadata_image_size) yield reportVideoSize();
}

function videoRecording(options: EngineOptions, format: VideoFormat): VideoRecording {
  const { video_duration: seconds, video_fps: fps, image_quality: quality } = options;
  const scrolls = options.video_scenario === "scroll";
  return {
    format,
    seconds,
    fps,
    quality,
    ...(scrolls && { scroll: scrolling(options) }),
    ...(options.test_mark && { isMarked: true }),
  };
}

function scrolling(options: EngineOptions): Scrolling {
  return {
    by: options.scroll_by,
    durationMs: options.scroll_duration,
    delayMs: options.scroll_delay,
    startDelayMs: options.scroll_start_delay,
    easing: options.scroll_easing,
    complete: options.scroll_complete,
    back: options.scroll_back ? options.scroll_back_algorithm : "none",
  };
}

/** Reports the size of the video in the metadata. */
const reportVideoSize = encodeStep({
  name: "report-video-size",
  run: async (page) => {
    const { width, height } = fittedSize(page.videoSize);
    return { metadata: { ...page.metadata, image_size: { width, height } } };
  },
});

/** Fits the window to the size of a video that shows all of the window. */
const fitWindow = captureStep<{ readonly size: WantedSize }>({
  name: "fit-window-to-video",
  run: async (page, { size }) => {
    const fitted = videoSize(size, page.window, page.window.scale);
    await fitWindowToVideo(page, fitted);
    return { videoSize: fitted };
  },
});
