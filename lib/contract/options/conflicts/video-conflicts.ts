// Conflicts between video options that are valid alone. Each message names both options and the fix.

import { isVideoFormat, type VideoFormat } from "../formats.ts";
import type { CaptureOptionName } from "../groups/all.ts";
import { MAX_IMAGE_FPS, MAX_VIDEO_SIZE, videoOptions } from "../groups/video.ts";
import { VIEWPORT_HEIGHTS } from "../groups/viewport.ts";
import type { SentNames } from "../parse-options.ts";
import { type WindowOptions, windowSize } from "../values/window-size.ts";
import { type ComparedOptions, type Conflict, type RequestedNames, windowOptions } from "./conflict.ts";

/** Yields nothing for other formats: there, each video option conflicts with the format itself. */
export function* videoConflicts(options: ComparedOptions, names: SentNames): Generator<Conflict> {
  const { requested } = names;
  const { format } = options;
  if (format === undefined || !isVideoFormat(format)) return;
  yield* scenarioConflicts(options, requested);
  yield* aspectRatioConflicts(options, names);
  yield* frameConflicts(options, requested, format);
}

const scrollOptions = (Object.keys(videoOptions) as (keyof typeof videoOptions)[]).filter((name) =>
  name.startsWith("scroll_"),
);

/** Options that select a part of the page. */
const partOptions = ["selector", "selector_all", "clip_x", "scroll_into_view"] as const satisfies CaptureOptionName[];

function* scenarioConflicts(options: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  const { video_scenario: scenario, scroll_start_delay: delay } = options;
  if (scenario === undefined) return;
  if (scenario !== "scroll") {
    for (const name of scrollOptions.filter((each) => requested.has(each))) {
      yield [name, "requires 'video_scenario' scroll, but 'video_scenario' is default"];
    }
    return;
  }
  for (const part of partOptions.filter((each) => requested.has(each))) {
    yield [
      "video_scenario",
      `is 'scroll', which scrolls through the whole page and conflicts with '${part}': send only one of them`,
    ];
  }
  if (requested.has("scroll_back_algorithm") && options.scroll_back === false) {
    yield [
      "scroll_back_algorithm",
      "sets how to scroll back and conflicts with 'scroll_back' false: send only one of them",
    ];
  }
  if (requested.has("scroll_start_immediately") && delay !== undefined && delay > 0) {
    yield ["scroll_start_immediately", `conflicts with the 'scroll_start_delay' of ${delay} ms: send only one of them`];
  }
}

function* aspectRatioConflicts(options: ComparedOptions, { requested, invalid }: SentNames): Generator<Conflict> {
  const { video_width: width, video_height: height, video_aspect_ratio: ratio } = options;
  const isSized = requested.has("video_width") && requested.has("video_height");
  if (isSized) {
    for (const other of ["viewport_height", "selector", "selector_all", "clip_x"] as const) {
      if (!requested.has(other)) continue;
      yield [
        "video_height",
        `sets the aspect ratio of the viewport with 'video_width' and conflicts with '${other}': send only one side`,
      ];
    }
    if (requested.has("video_aspect_ratio")) {
      const message =
        "conflicts with 'video_width' and 'video_height', which already set an aspect ratio: send only one side";
      yield ["video_aspect_ratio", message];
    }
    const { pixels } = MAX_VIDEO_SIZE;
    if (width !== undefined && height !== undefined && width * height > pixels) {
      yield [
        "video_height",
        `gives more than ${pixels / 1e6} million pixels with a 'video_width' of ${width}: lower one of them`,
      ];
    }
  }
  const ofWindow = windowOptions(options, invalid);
  if (ofWindow && (isSized || ratio !== undefined))
    yield* viewportConflicts(ofWindow, isSized ? "video_height" : "video_aspect_ratio");
}

/** An aspect ratio can give a viewport beyond the limits of `viewport_height`. */
function* viewportConflicts(options: WindowOptions, name: "video_height" | "video_aspect_ratio"): Generator<Conflict> {
  const { width, height } = windowSize(options);
  const { minimum, maximum } = VIEWPORT_HEIGHTS;
  if (height >= minimum && height <= maximum) return;
  const bounds = `whose height must be from ${minimum} to ${maximum}`;
  yield [
    name,
    `gives a viewport of ${width} × ${height} pixels, ${bounds}: change 'viewport_width' or the aspect ratio`,
  ];
}

function* frameConflicts(
  { video_fps: fps, video_duration: seconds, timeout }: ComparedOptions,
  requested: RequestedNames,
  format: VideoFormat,
): Generator<Conflict> {
  const isImage = format === "gif" || format === "animated_webp";
  if (isImage && fps !== undefined && fps > MAX_IMAGE_FPS) {
    const fix = "lower it, or set 'format' to mp4 or webm";
    yield ["video_fps", `must be at most ${MAX_IMAGE_FPS} for 'format' ${format}, not ${fps}: ${fix}`];
  }
  if (requested.has("video_duration") && seconds !== undefined && timeout !== undefined && seconds >= timeout) {
    yield ["video_duration", `must be shorter than the 'timeout' of ${timeout} s: lower it or raise 'timeout'`];
  }
}
