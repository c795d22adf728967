// The quality of lossy images and videos.
import type { CaptureOptions } from "../../../options/capture-options.ts";

const DEFAULT_QUALITY = 80;

export function quality({ image_quality = DEFAULT_QUALITY }: CaptureOptions): number {
  return image_quality;
}
