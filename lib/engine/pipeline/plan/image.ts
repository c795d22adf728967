// Plans the screenshot of a page, and how its image is encoded.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { isImageFormat } from "../../../options/formats.ts";
import type { ImageSettings } from "../../outputs/screenshot/image-settings.ts";
import type { Resizing } from "../../outputs/screenshot/resizing.ts";
import type { PhaseStep } from "../step-registry.ts";
import { finishAnimations, scrollIntoView, selectArea } from "./area.ts";

export function* captureImage(options: CaptureOptions): Generator<PhaseStep<"capture">> {
  const image = imageSettings(options);
  if (!image) return;
  const freeze = options.full_page_freeze_fixed !== false;
  const area = selectArea(options, { isCompared: true });
  if (options.full_page && options.full_page_expand_overflow !== false) yield { name: "expand-scroller" };
  if (options.disable_animations) yield finishAnimations(options);
  if (options.full_page && options.full_page_scroll !== false) yield { name: "restore-in-view" };
  if (options.full_page && freeze && options.full_page_pinned === "once") yield { name: "collapse-pinned-scenes" };
  yield* scrollIntoView(options);
  if (options.full_page && freeze) yield { name: "neutralise-fixed" };
  yield area;
  if (options.capture_beyond_viewport === false) yield { name: "crop-to-viewport" };
  yield { name: "check-glyphs", isWhole: false };
  if (options.full_page_algorithm === "by_sections") yield { name: "screenshot-sections", freeze, image };
  else yield { name: "screenshot", image, ...(options.full_page && { freeze }) };
}

/** An element or a rectangle may well be of one colour; a window or a page rarely is. */
export function* verifyImage(options: CaptureOptions): Generator<PhaseStep<"verify">> {
  const image = imageSettings(options);
  const isPart = options.selector || options.selector_all || options.clip_x !== undefined;
  if (image && !isPart) yield { name: "check-blank", image };
}

export function* encodeImage(options: CaptureOptions): Generator<PhaseStep<"encode">> {
  const image = imageSettings(options);
  if (!image) return;
  yield { name: "encode-image", image };
  if (options.full_page_slices) {
    const { full_page_slice_height: height, full_page_slice_overlap_height: overlap } = options;
    yield { name: "slice-image", height, overlap, image };
  }
  const { metadata_image_size: size, metadata_palette: palette } = options;
  if (size || palette) yield { name: "analyse-image", size, palette };
}

/** The settings of the image; undefined when the result is not an image. */
function imageSettings(options: CaptureOptions): ImageSettings | undefined {
  const { format } = options;
  if (!isImageFormat(format)) return undefined;
  const resizing = imageResizing(options);
  return {
    format,
    ...(options.image_fallback_format && { fallbackFormat: options.image_fallback_format }),
    quality: options.image_quality,
    transparent: options.omit_background,
    fast: options.optimize_for_speed,
    keepsPixels: options.full_page_slices,
    ...(resizing && { resizing }),
  };
}

function imageResizing(options: CaptureOptions): Resizing | undefined {
  const { image_width: width, image_height: height } = options;
  if (width === undefined && height === undefined) return undefined;
  return {
    width,
    height,
    fit: options.image_fit,
    position: options.image_position,
    background: options.image_background,
  };
}
