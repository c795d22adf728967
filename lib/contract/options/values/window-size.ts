// The viewport size: from the device, the viewport options, or the aspect ratio of the video.
import { isVideoFormat } from "../formats.ts";
import type { ParsedOptions } from "../resolve-defaults.ts";

export type WindowOptions = Pick<ParsedOptions, "format"> & Partial<ParsedOptions>;

/** In CSS pixels. */
interface WindowSize {
  readonly width: number;
  readonly height: number;
}

const DEFAULT_WINDOW: WindowSize = { width: 1280, height: 1024 };

/** The usual aspect ratio of videos. */
const DEFAULT_ASPECT_RATIO = 16 / 9;

/** The viewport size in CSS pixels. Viewport options override the device; the aspect ratio of a video overrides both. */
export function windowSize(options: WindowOptions): WindowSize {
  const { viewport_device: device = DEFAULT_WINDOW } = options;
  const { viewport_width: width = device.width, viewport_height: height = device.height } = options;
  const isRotated = options.viewport_landscape && height > width;
  const window = isRotated ? { width: height, height: width } : { width, height };
  const aspectRatio = isVideoFormat(options.format) ? videoAspectRatio(options) : undefined;
  // Round up: a viewport row too many is better than an empty row of the video.
  return aspectRatio === undefined
    ? window
    : { width: window.width, height: Math.ceil(window.width / aspectRatio - ROUNDING) };
}

const ROUNDING = 1e-6;

/** Width divided by height of a video; undefined if the viewport options set the size and no video option does. */
function videoAspectRatio(options: WindowOptions): number | undefined {
  const { video_aspect_ratio: ratio, video_width: width, video_height: height } = options;
  if (width !== undefined && height !== undefined) return width / height;
  if (ratio !== undefined) {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return across / down;
  }
  const isUnset = options.viewport_height === undefined && options.viewport_device === undefined;
  return isUnset ? DEFAULT_ASPECT_RATIO : undefined;
}
