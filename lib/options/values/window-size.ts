// How large the browser's window is: as a device has it, as the options say, or in the shape of the video.

import { isVideoFormat } from "../formats.ts";
import type { ParsedOptions } from "../resolve-defaults.ts";

export type WindowOptions = Pick<ParsedOptions, "format"> & Partial<ParsedOptions>;

/** In CSS pixels. */
interface WindowSize {
  readonly width: number;
  readonly height: number;
}

const DEFAULT_WINDOW: WindowSize = { width: 1280, height: 1024 };

/** What people expect of a video. */
const DEFAULT_SHAPE = 16 / 9;

/** The window's size in CSS pixels. Single options override those of the device; what a video is to be like, both. */
export function windowSize(options: WindowOptions): WindowSize {
  const { viewport_device: device = DEFAULT_WINDOW } = options;
  const { viewport_width: width = device.width, viewport_height: height = device.height } = options;
  const isTurned = options.viewport_landscape && height > width;
  const window = isTurned ? { width: height, height: width } : { width, height };
  const shape = isVideoFormat(options.format) ? shapeOf(options) : undefined;
  // A row more rather than a part of the video with nothing in it.
  return shape === undefined ? window : { width: window.width, height: Math.ceil(window.width / shape - ROUNDING) };
}

const ROUNDING = 1e-6;

/** Width by height of a video, where its options ask for it or nothing asks for another one. */
function shapeOf(options: WindowOptions): number | undefined {
  const { video_aspect_ratio: ratio, video_width: width, video_height: height } = options;
  if (width !== undefined && height !== undefined) return width / height;
  if (ratio !== undefined) {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return across / down;
  }
  const isOpen = options.viewport_height === undefined && options.viewport_device === undefined;
  return isOpen ? DEFAULT_SHAPE : undefined;
}
