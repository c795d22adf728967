// Plans the recording of a video.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { isVideoFormat, type VideoFormat } from "../../../options/formats.ts";
import type { Scrolling } from "../../outputs/video/scroll-scenario.ts";
import type { VideoRecording } from "../../outputs/video/video-recording.ts";
import type { PhaseStep } from "../step-registry.ts";
import { scrollIntoView, selectArea } from "./area.ts";

export function* recordVideo(
  options: CaptureOptions,
  { isRealTime }: { readonly isRealTime: boolean },
): Generator<PhaseStep<"capture">> {
  const { format, video_width, video_height, image_width, image_height } = options;
  if (!isVideoFormat(format)) return;
  const video = videoRecording(options, format);
  const size = { video_width, video_height, image_width, image_height };
  const area = selectArea(options);
  if (options.disable_animations) yield { name: "finish-animations" };
  if (video.scroll) yield { name: "load-lazy-images" };
  yield* scrollIntoView(options);
  yield area;
  if (area.name === "select-viewport") yield { name: "fit-window-to-video", size };
  else {
    yield { name: "grow-window" };
    yield area; // in a window that grew, the area may be elsewhere
    yield { name: "fit-area-to-video", size };
  }
  yield { name: "check-glyphs", isWhole: video.scroll !== undefined };
  yield { name: isRealTime ? "record-screencast" : "record-video", video };
}

export function* encodeVideo({ format, metadata_image_size }: CaptureOptions): Generator<PhaseStep<"encode">> {
  if (isVideoFormat(format) && metadata_image_size) yield { name: "report-video-size" };
}

function videoRecording(options: CaptureOptions, format: VideoFormat): VideoRecording {
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

function scrolling(options: CaptureOptions): Scrolling {
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
