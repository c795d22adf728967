// Plans the screenshot of a page, and how its image is encoded.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { isImageFormat } from "../../../contract/options/formats.ts";
import type { ImageSettings } from "../../formats/screenshot/image-settings.ts";
import type { Resizing } from "../../formats/screenshot/resizing.ts";
import type { CaptureStep, EncodeStep, VerifyStep } from "../step.ts";
import { analyseImage } from "../steps/analyse-image.ts";
import { checkBlank } from "../steps/check-blank.ts";
import { cropToViewport } from "../steps/crop-to-viewport.ts";
import { encodeImage } from "../steps/encode-image.ts";
import { expandScroller } from "../steps/expand-scroller.ts";
import { judgePageStep } from "../steps/judge-page.ts";
import { locateElements } from "../steps/locate-elements.ts";
import { neutraliseFixedElements } from "../steps/neutralise-fixed.ts";
import { screenshot } from "../steps/screenshot.ts";
import { sliceImageStep } from "../steps/slice-image.ts";
import { stitchWindows } from "../steps/stitch-windows.ts";
import { planAnimations, planArea, planScrollIntoView } from "./area.ts";
import { elementsRequest } from "./document.ts";
import { isStitched } from "./readiness.ts";

export function* planImage(options: EngineOptions): Generator<CaptureStep> {
  const image = imageSettings(options);
  if (!image) return;
  if (isStitched(options)) yield* planStitching(options, image);
  else yield* planPainting(options, image);
}

/** The page is at its top after its visit, as it was before. */
function* planStitching(options: EngineOptions, image: ImageSettings): Generator<CaptureStep> {
  if (options.disable_animations) yield planAnimations(options);
  yield judgePageStep({ isWhole: true });
  yield stitchWindows({
    image,
    maxHeight: options.full_page_max_height,
    expandsPanes: options.full_page_expand_overflow !== false,
    freezesFixed: options.full_page_freeze_fixed !== false,
  });
  if (options.annotate || options.metadata_elements)
    yield locateElements({
      request: elementsRequest(options),
      isMarked: options.annotate,
      isListed: options.metadata_elements,
    });
}

function* planPainting(options: EngineOptions, image: ImageSettings): Generator<CaptureStep> {
  const freeze = options.full_page_freeze_fixed !== false;
  const area = planArea(options, { isPictured: options.capture_beyond_viewport !== false });
  if (options.full_page && options.full_page_expand_overflow !== false) yield expandScroller();
  if (options.disable_animations) yield planAnimations(options);
  // Before fixed elements lose their place, by which overlays are recognized.
  if (options.full_page) yield judgePageStep({ isWhole: true });
  yield* planScrollIntoView(options);
  if (options.full_page && freeze) yield neutraliseFixedElements();
  yield area;
  if (options.capture_beyond_viewport === false) yield cropToViewport();
  if (!options.full_page) yield judgePageStep({ isWhole: false });
  if (options.annotate)
    yield locateElements({
      request: elementsRequest(options),
      isMarked: true,
      isListed: options.metadata_elements,
    });
  yield screenshot({ image });
}

/** An element or a rectangle may well be of one colour; a window or a page rarely is. */
export function* planVerification(options: EngineOptions): Generator<VerifyStep> {
  const image = imageSettings(options);
  const isPart = options.selector || options.selector_all || options.clip_x !== undefined;
  if (image && !isPart) yield checkBlank({ image });
}

export function* planEncoding(options: EngineOptions): Generator<EncodeStep> {
  const image = imageSettings(options);
  if (!image) return;
  yield encodeImage({ image });
  if (options.full_page_slices) {
    const { full_page_slice_height: height, full_page_slice_overlap_height: overlap } = options;
    yield sliceImageStep({ height, overlap, image });
  }
  const { metadata_image_size: size, metadata_palette: palette } = options;
  if (size || palette) yield analyseImage({ size, palette });
}

/** The settings of the image; undefined when the result is not an image. */
export function imageSettings(options: EngineOptions): ImageSettings | undefined {
  const { format } = options;
  if (!isImageFormat(format)) return undefined;
  const resizing = imageResizing(options);
  return {
    format,
    ...(options.image_fallback_format && { fallbackFormat: options.image_fallback_format }),
    quality: options.image_quality,
    transparent: options.omit_background,
    fast: options.optimize_for_speed,
    keepsPixels: options.full_page_slices || options.annotate,
    ...(resizing && { resizing }),
  };
}

function imageResizing(options: EngineOptions): Resizing | undefined {
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
