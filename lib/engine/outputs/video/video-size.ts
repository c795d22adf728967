// How large a video is: as its options ask, or as what it shows.

import { ApiError } from "../../../errors/api-error.ts";
import type { CaptureOptions } from "../../../options/capture-options.ts";
import { MAX_VIDEO_SIZE, MIN_SIDE } from "../../../options/groups/video.ts";
import type { Area } from "../screenshot/area.ts";

export interface VideoSize {
  /** In pixels: even numbers, as the formats of videos need them. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the video per CSS pixel: the area times this covers the video, or is less than two pixels across. */
  readonly zoom: number;
}

/** What options say of it. */
export type WantedSize = Pick<CaptureOptions, "video_width" | "video_height" | "image_width" | "image_height">;

/**
 * The size of a video of `area`, which is in CSS pixels, `scale` image pixels each. Sides that are asked for by `video_*`
 * are exact; `image_*` are bounds within which the shape is kept and nothing is enlarged. The other sides are cut by what
 * is beyond an even number of pixels. Throws `RESULT_TOO_LARGE` for more than can be encoded.
 */
export function videoSize(options: WantedSize, area: Pick<Area, "width" | "height">, scale: number): VideoSize {
  const zoom = zoomOf(options, area, scale);
  const { video_width: width = even(area.width * zoom), video_height: height = even(area.height * zoom) } = options;
  assertEncodable(width, height);
  return { width, height, zoom };
}

function zoomOf(options: WantedSize, area: Pick<Area, "width" | "height">, scale: number): number {
  const { video_width, video_height, image_width, image_height } = options;
  const exact = ratios(area, video_width, video_height);
  if (exact.length > 0) return Math.max(...exact);
  return Math.min(scale, ...ratios(area, image_width, image_height));
}

/** The zooms by which an area gets each of the sides that are given. */
function ratios(area: Pick<Area, "width" | "height">, width: number | undefined, height: number | undefined): number[] {
  return [width && width / area.width, height && height / area.height].filter((ratio) => ratio !== undefined);
}

/** The largest even number that is not more, but for what a product of fractions is off by. */
function even(pixels: number): number {
  return 2 * Math.floor(pixels / 2 + ROUNDING);
}

const ROUNDING = 1e-6;

function assertEncodable(width: number, height: number): void {
  const { side, pixels } = MAX_VIDEO_SIZE;
  if (Math.min(width, height) < MIN_SIDE) {
    const problem = `would measure ${width} × ${height} pixels, less than ${MIN_SIDE} a side`;
    const way = "Film a larger part, or raise device_scale_factor, image_width or image_height.";
    throw new ApiError("VALIDATION_ERROR", `The video ${problem}. ${way}`, { details: { video: [problem] } });
  }
  if (Math.max(width, height) <= side && width * height <= pixels) return;
  const message =
    `The video would measure ${width} × ${height} pixels, more than ${side} a side or ${pixels / 1e6} million in all. ` +
    "Lower viewport_width, viewport_height or device_scale_factor, film a smaller part, or send image_width.";
  throw new ApiError("RESULT_TOO_LARGE", message, { details: { video: [`${width} × ${height} pixels`] } });
}

/** The size to which a step has fitted the window. */
export function fittedSize(size: VideoSize | undefined): VideoSize {
  if (!size) throw new Error("The window is not fitted to the video yet.");
  return size;
}
