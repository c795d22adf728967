// Options of a video that are valid alone and cannot hold together: each sentence names both sides and the way out.

import { isVideoFormat, type VideoFormat } from "../formats.ts";
import type { CaptureOptionName } from "../groups/all.ts";
import { isAspectRatio, MAX_IMAGE_FPS, MAX_VIDEO_SIZE, videoOptions } from "../groups/video.ts";
import { VIEWPORT_HEIGHTS } from "../groups/viewport.ts";
import { type WindowOptions, windowSize } from "../values/window-size.ts";
import { isNumber, type Options, type Problem, type RawOptions } from "./conflict.ts";

/** Nothing for another format: what is wrong with the options of videos is then that. */
export function* videoConflicts(options: Options, asked: RawOptions): Generator<Problem> {
  const { format } = options;
  if (typeof format !== "string" || !isVideoFormat(format)) return;
  yield* scenarios(options, asked);
  yield* shapes(options, asked);
  yield* frames(options, asked, format);
}

const scrollOptions = (Object.keys(videoOptions) as (keyof typeof videoOptions)[]).filter((name) =>
  name.startsWith("scroll_"),
);

/** What chooses a part of the page. */
const parts = ["selector", "selector_all", "clip_x", "scroll_into_view"] as const satisfies CaptureOptionName[];

function* scenarios(options: Options, asked: RawOptions): Generator<Problem> {
  if (options.video_scenario !== "scroll") {
    for (const name of scrollOptions.filter((each) => asked.has(each))) {
      yield [name, "moves the page, and contradicts 'video_scenario' default: send 'video_scenario' scroll"];
    }
    return;
  }
  for (const part of parts.filter((each) => asked.has(each))) {
    yield ["video_scenario", `is 'scroll', through the whole page, and contradicts '${part}': send one of them`];
  }
  if (asked.has("scroll_back_algorithm") && options.scroll_back === false) {
    yield ["scroll_back_algorithm", "says how to scroll back, and contradicts 'scroll_back' false: send one of them"];
  }
  const { scroll_start_delay: delay } = options;
  if (asked.has("scroll_start_immediately") && isNumber(delay) && delay > 0) {
    yield ["scroll_start_immediately", `contradicts the 'scroll_start_delay' of ${delay} ms: send one of them`];
  }
}

function* shapes(options: Options, asked: RawOptions): Generator<Problem> {
  const { video_width: width, video_height: height, video_aspect_ratio: ratio } = options;
  const isSized = asked.has("video_width") && asked.has("video_height");
  if (isSized) {
    for (const other of ["viewport_height", "selector", "selector_all", "clip_x"] as const) {
      if (!asked.has(other)) continue;
      yield ["video_height", `shapes the window with 'video_width', and contradicts '${other}': send one side alone`];
    }
    if (asked.has("video_aspect_ratio")) {
      const message = "contradicts 'video_width' with 'video_height', which are a shape already: send one side alone";
      yield ["video_aspect_ratio", message];
    }
    const { pixels } = MAX_VIDEO_SIZE;
    if (isNumber(width) && isNumber(height) && width * height > pixels) {
      yield [
        "video_height",
        `makes more than ${pixels / 1e6} million pixels of a 'video_width' of ${width}: lower one`,
      ];
    }
  }
  if (isSized || isAspectRatio(ratio)) yield* windows(options, isSized ? "video_height" : "video_aspect_ratio");
}

/** A shape can lead to a window that nobody could ask for. */
function* windows(options: Options, name: "video_height" | "video_aspect_ratio"): Generator<Problem> {
  if (!isMeasurable(options)) return;
  const { width, height } = windowSize(options);
  const { minimum, maximum } = VIEWPORT_HEIGHTS;
  if (height >= minimum && height <= maximum) return;
  const bounds = `whose height must be from ${minimum} to ${maximum}`;
  yield [name, `makes a window of ${width} × ${height} pixels, ${bounds}: change 'viewport_width' or the shape`];
}

/** True when all that the window's size follows from is right in itself. */
function isMeasurable(options: Options): options is Options & WindowOptions {
  const { viewport_width, viewport_height, video_width, video_height, viewport_device: device } = options;
  const sides = [viewport_width, viewport_height, video_width, video_height];
  const isDevice = device === undefined || (isNumber(device?.width) && isNumber(device?.height));
  return isDevice && sides.every((side) => side === undefined || isNumber(side));
}

function* frames(
  { video_fps: fps, video_duration: seconds, timeout }: Options,
  asked: RawOptions,
  format: VideoFormat,
): Generator<Problem> {
  const isImage = format === "gif" || format === "animated_webp";
  if (isImage && isNumber(fps) && fps > MAX_IMAGE_FPS) {
    const way = "lower it, or send 'format' mp4 or webm";
    yield ["video_fps", `must be at most ${MAX_IMAGE_FPS} for 'format' ${format}, not ${fps}: ${way}`];
  }
  if (asked.has("video_duration") && isNumber(seconds) && isNumber(timeout) && seconds >= timeout) {
    yield ["video_duration", `is as long as the 'timeout' of ${timeout} s: lower it or raise 'timeout'`];
  }
}
