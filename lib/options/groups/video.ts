// How long a video is, how often it shows the page anew, and how it moves through the page.
import * as v from "valibot";
import { choice, decimal, flag, integer } from "../coercion.ts";
import type { VideoFormat } from "../formats.ts";
import { inputForm, option } from "../option.ts";

/** The functions of Robert Penner, by the names that CSS libraries give them. */
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

export function isAspectRatio(value: unknown): value is (typeof aspectRatios)[number] {
  return aspectRatios.some((ratio) => ratio === value);
}

/** Frames per second that programs show of an animated image; some fall back to 10 for more. */
export const MAX_IMAGE_FPS = 30;

/** Pixels of a side of the largest video, and of all of it: those of 4K in either direction. */
export const MAX_VIDEO_SIZE = { side: 3840, pixels: 3840 * 2160 } as const;

/** The shortest side that H.264 can have, in pixels. */
export const MIN_SIDE = 16;

/** Even, since most formats of videos have one colour for two pixels by two. */
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

export const videoOptions = {
  video_duration: v.optional(
    option(decimal(1, 30, " seconds"), {
      description: "Seconds the video lasts. It counts as one capture, however long it is.",
      only,
    }),
    5,
  ),
  video_fps: v.optional(
    option(integer(1, 60), {
      description: `Frames per second. At most ${MAX_IMAGE_FPS} for \`gif\` and \`animated_webp\`, which few programs show faster.`,
      otherwise: `${DEFAULT_VIDEO_FPS.mp4}; ${DEFAULT_VIDEO_FPS.gif} for gif and animated_webp`,
      only,
    }),
  ),
  video_width: v.optional(
    option(side(), {
      description:
        "Width of the video, an even number: the page is painted in that size, not enlarged afterwards, while its " +
        "window stays as wide as `viewport_width` says. Alone, the shape is that of what is filmed.",
      otherwise: "that of what is filmed, times `device_scale_factor`",
      only,
    }),
  ),
  video_height: v.optional(
    option(side(), {
      description: "Height of the video, an even number. With `video_width`, the window takes the shape of the two.",
      otherwise: "that of what is filmed, times `device_scale_factor`",
      only,
    }),
  ),
  video_aspect_ratio: v.optional(
    option(choice(aspectRatios), {
      description: "Shape of the window and of the video: the height follows from the width.",
      otherwise: "16:9, or the window's own with `viewport_height` or `viewport_device`",
      only,
    }),
  ),
  video_scenario: v.optional(
    option(choice(["default", "scroll"]), {
      description:
        "`default` stands still and shows what moves by itself; `scroll` goes through the page from top to end.",
      only,
    }),
    "default",
  ),
  scroll_by: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description: "CSS pixels of each step of the `scroll` scenario; the last one ends exactly where the page ends.",
      only,
    }),
    1_000,
  ),
  scroll_duration: v.optional(
    option(integer(100, 30_000, " ms"), {
      description: "Milliseconds each step takes.",
      only,
    }),
    1_500,
  ),
  scroll_delay: v.optional(
    option(integer(0, 30_000, " ms"), {
      description: "Milliseconds to stand still after each step.",
      only,
    }),
    500,
  ),
  scroll_easing: v.optional(
    option(choice(scrollEasings), {
      description: "How each step gains and loses speed.",
      only,
    }),
    "ease_in_out_quint",
  ),
  scroll_start_immediately: v.optional(
    option(flag(), {
      description: "Begin to scroll with the first frame; false stands still for a `scroll_delay` first.",
      only,
    }),
    true,
  ),
  scroll_start_delay: v.optional(
    option(integer(0, 30_000, " ms"), {
      description: "Milliseconds to stand still at the top before the first step.",
      otherwise: "0; `scroll_delay` with `scroll_start_immediately` false",
      only,
    }),
  ),
  scroll_complete: v.optional(
    option(flag(), {
      description:
        "Reach the end within the video: where the steps would take longer, they and the pauses between them are " +
        "shortened alike. False keeps their pace, and the video ends wherever it is by then.",
      only,
    }),
    true,
  ),
  scroll_back: v.optional(
    option(flag(), { description: "Scroll back to the top after the end was reached.", only }),
    true,
  ),
  scroll_back_algorithm: v.optional(
    option(choice(["once", "repeat"]), {
      description: "How it goes back: `once`, in a single step, or by `repeat`ing as many steps as it took to come.",
      only,
    }),
    "once",
  ),
};
