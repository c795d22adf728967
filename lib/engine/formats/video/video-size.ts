// Video size: from the options, or from the captured area.

import { ApiError } from "../../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { MAX_VIDEO_SIZE, MIN_SIDE } from "../../../contract/options/groups/video.ts";
import type { Area } from "../../geometry/area.ts";

export interface VideoSize {
  /** In pixels; even numbers, as video formats require. */
  readonly width: number;
  readonly height: number;
  /** Video pixels per CSS pixel: the area times this covers the video, or falls short by less than two pixels. */
  readonly zoom: number;
}

/** The options that affect it. */
export type WantedSize = Pick<EngineOptions, "video_width" | "video_height" | "image_width" | "image_height">;

/**
 * Computes the size of a video of `area`, in CSS pixels, with `scale` image pixels each. `video_*` sides are exact;
 * `image_*` sides are bounds that keep the aspect ratio and never enlarge. Other sides are rounded down to even
 * numbers. Throws `VALIDATION_ERROR` below and `RESULT_TOO_LARGE` above what can be encoded.
 */
export function videoSize(options: WantedSize, area: Pick<Area, "width" | "height">, scale: number): VideoSize {
  const zoom = chooseZoom(options, area, scale);
  const { video_width: width = even(area.width * zoom), video_height: height = even(area.height * zoom) } = options;
  assertEncodable(width, height);
  return { width, height, zoom };
}

function chooseZoom(options: WantedSize, area: Pick<Area, "width" | "height">, scale: number): number {
  const { video_width, video_height, image_width, image_height } = options;
  const exact = ratios(area, video_width, video_height);
  if (exact.length > 0) return Math.max(...exact);
  return Math.min(scale, ...ratios(area, image_width, image_height));
}

/** The zoom factors at which the area has the given sides. */
function ratios(area: Pick<Area, "width" | "height">, width: number | undefined, height: number | undefined): number[] {
  return [width && width / area.width, height && height / area.height].filter((ratio) => ratio !== undefined);
}

/** Rounds down to an even number, with a tolerance for rounding errors of products. */
function even(pixels: number): number {
  return 2 * Math.floor(pixels / 2 + ROUNDING);
}

const ROUNDING = 1e-6;

function assertEncodable(width: number, height: number): void {
  const { side, pixels } = MAX_VIDEO_SIZE;
  if (Math.min(width, height) < MIN_SIDE) {
    const problem = `would measure ${width} × ${height} pixels, less than ${MIN_SIDE} a side`;
    const fix = "Record a larger area, or raise device_scale_factor, image_width or image_height.";
    throw new ApiError("VALIDATION_ERROR", `The video ${problem}. ${fix}`, { details: { video: [problem] } });
  }
  if (Math.max(width, height) <= side && width * height <= pixels) return;
  const message =
    `The video would measure ${width} × ${height} pixels, more than ${side} a side or ${pixels / 1e6} million in all. ` +
    "Lower viewport_width, viewport_height or device_scale_factor, record a smaller area, or send image_width.";
  throw new ApiError("RESULT_TOO_LARGE", message, { details: { video: [`${width} × ${height} pixels`] } });
}

/** The size to which a step has fitted the window. */
export function fittedSize(size: VideoSize | undefined): VideoSize {
  if (!size) throw new Error("The window is not fitted to the video yet.");
  return size;
}
