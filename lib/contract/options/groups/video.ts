// Options for videos: duration, frame rate, size, and the scroll scenario.
import * as v from "valibot";
import { choice, decimal, flag, integer } from "../coercion.ts";
import type { VideoFormat } from "../formats.ts";
import { inputForm, option } from "../option.ts";

/** Robert Penner's easing functions, by the names of CSS libraries. */
export const scrollEasings = [
  "linear",
  "ease_in_quad",
  "ease_out_quad",
  "ease_in_out_quad",
  "ease_in_cubic",
  "ease_out_cubic",
  "ease_in_out_cubic",
  "ease_in_quart",
  "ease_out_quart",
  "ease_in_out_quart",
  "ease_in_quint",
  "ease_out_quint",
  "ease_in_out_quint",
] as const;

export type ScrollEasing = (typeof scrollEasings)[number];

const aspectRatios = ["16:9", "4:3", "1:1", "3:4", "9:16"] as const;

/** Maximum frame rate of an animated image. Some programs fall back to 10 fps above it. */
export const MAX_IMAGE_FPS = 30;

/** Maximum video size: 4K in either orientation. `side` and `pixels` are in pixels. */
export const MAX_VIDEO_SIZE = { side: 3840, pixels: 3840 * 2160 } as const;

/** Minimum side of an H.264 video in pixels. */
export const MIN_SIDE = 16;

/** Must be even, since 4:2:0 chroma subsampling stores one color for each block of 2 × 2 pixels. */
const side = () => {
  const [minimum, maximum] = [MIN_SIDE, MAX_VIDEO_SIZE.side];
  const even = v.pipe(
    integer(minimum, maximum, " pixels"),
    v.check(
      (pixels) => pixels % 2 === 0,
      ({ input }) => `must be an even number, not ${input}`,
    ),
  );
  return inputForm(even, { type: "integer", minimum, maximum, multipleOf: 2 });
};

/** Frames per second by default; formats with large frames have fewer. */
export const DEFAULT_VIDEO_FPS: Readonly<Record<VideoFormat, number>> = {
  mp4: 25,
  webm: 25,
  gif: 10,
  animated_webp: 10,
};

const only = ["video"] as const;

const scrolling = { format: "mp4", video_scenario: "scroll" };

export const videoOptions = {
  video_duration: v.optional(
    option(decimal(1, 30, " seconds"), {
      description: "Duration of the video in seconds. A video counts as one capture, regardless of its duration.",
      only,
    }),
    5,
  ),
  video_fps: v.optional(
    option(integer(1, 60), {
      description:
        `Frames per second. At most ${MAX_IMAGE_FPS} for \`gif\` and \`animated_webp\`, which few programs play ` +
        "faster.",
      otherwise: `${DEFAULT_VIDEO_FPS.mp4}; ${DEFAULT_VIDEO_FPS.gif} for gif and animated_webp`,
      only,
    }),
  ),
  video_width: v.optional(
    option(side(), {
      description:
        "Width of the video in pixels, an even number. The page is rendered at this size rather than enlarged " +
        "afterwards; `viewport_width` still sets the viewport. If you set only the width, the aspect ratio is " +
        "kept.",
      otherwise: "that of what is filmed, times `device_scale_factor`",
      only,
    }),
  ),
  video_height: v.optional(
    option(side(), {
      description:
        "Height of the video in pixels, an even number. Together with `video_width`, it sets the aspect ratio of " +
        "the viewport.",
      otherwise: "that of what is filmed, times `device_scale_factor`",
      only,
    }),
  ),
  video_aspect_ratio: v.optional(
    option(choice(aspectRatios), {
      description: "Aspect ratio of the viewport and the video. The height follows from the width.",
      otherwise: "16:9, or the window's own with `viewport_height` or `viewport_device`",
      only,
    }),
  ),
  video_scenario: v.optional(
    option(choice(["default", "scroll"]), {
      description:
        "`default` records the page without scrolling. `scroll` scrolls from the top of the page to its end.",
      only,
    }),
    "default",
  ),
  scroll_by: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description: "Length of each scroll step in CSS pixels. The last step stops at the end of the page.",
      only,
      sample: "600",
      sampleWith: scrolling,
    }),
    1_000,
  ),
  scroll_duration: v.optional(
    option(integer(100, 30_000, " ms"), {
      description: "Duration of each scroll step in milliseconds.",
      only,
      sample: "800",
      sampleWith: scrolling,
    }),
    1_500,
  ),
  scroll_delay: v.optional(
    option(integer(0, 30_000, " ms"), {
      description: "Pause after each scroll step in milliseconds.",
      only,
      sample: "300",
      sampleWith: scrolling,
    }),
    500,
  ),
  scroll_easing: v.optional(
    option(choice(scrollEasings), {
      description: "Easing of each scroll step.",
      only,
      sampleWith: scrolling,
    }),
    "ease_in_out_quint",
  ),
  scroll_start_immediately: v.optional(
    option(flag(), {
      description: "Start to scroll with the first frame. `false` waits for `scroll_delay` first.",
      only,
      sampleWith: scrolling,
    }),
    true,
  ),
  scroll_start_delay: v.optional(
    option(integer(0, 30_000, " ms"), {
      description: "Pause at the top before the first scroll step, in milliseconds.",
      otherwise: "0; `scroll_delay` with `scroll_start_immediately` false",
      only,
      sample: "500",
      sampleWith: scrolling,
    }),
  ),
  scroll_complete: v.optional(
    option(flag(), {
      description:
        "Reach the end of the page within the video: if the scroll steps take too long, they and their pauses are " +
        "shortened evenly. `false` keeps their speed, and the video can end before the end of the page.",
      only,
      sampleWith: scrolling,
    }),
    true,
  ),
  scroll_back: v.optional(
    option(flag(), { description: "Scroll back to the top after reaching the end.", only, sampleWith: scrolling }),
    true,
  ),
  scroll_back_algorithm: v.optional(
    option(choice(["once", "repeat"]), {
      description: "How to scroll back: `once`, in one step, or `repeat`, in as many steps as on the way down.",
      only,
      sampleWith: scrolling,
    }),
    "once",
  ),
};
