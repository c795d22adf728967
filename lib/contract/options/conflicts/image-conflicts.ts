// Conflicts between options of an image that are valid alone: its size, its format, and how it fits into a box.
import { isImageFormat } from "../formats.ts";
import { isImageFit } from "../groups/output.ts";
import { canExpress, describeFormatLimits, limitedFormats } from "../image-limits.ts";
import { enumeration } from "../values/enumeration.ts";
import { type WindowOptions, windowSize } from "../values/window-size.ts";
import { type ComparedOptions, type Conflict, isFormat, isMeasurable, isNumber, type SentNames } from "./conflict.ts";

export function* imageConflicts(options: ComparedOptions, sentNames: SentNames): Generator<Conflict> {
  yield* imageFitConflicts(options, sentNames);
  yield* imageSizeConflicts(options, sentNames);
}

/** The values of `image_fit` for which an option has an effect, because they crop or pad the image. */
const imageFitsByOption = [
  ["image_position", ["cover", "contain"]],
  ["image_background", ["contain"]],
] as const;

function* imageFitConflicts({ image_fit, image_position }: ComparedOptions, sentNames: SentNames): Generator<Conflict> {
  if (!isImageFit(image_fit)) return;
  for (const [name, values] of imageFitsByOption) {
    if (!sentNames.has(name)) continue;
    if (!values.some((value) => value === image_fit)) {
      yield [name, `applies only to 'image_fit' ${enumeration(values)}, but 'image_fit' is ${image_fit}`];
    } else if (sentNames.has("image_width") !== sentNames.has("image_height")) {
      yield [name, "requires both 'image_width' and 'image_height': with only one, nothing is cropped or padded"];
    }
  }
  if (image_fit === "contain" && (image_position === "entropy" || image_position === "attention")) {
    yield ["image_position", `is ${image_position}, which requires 'image_fit' cover, but 'image_fit' is contain`];
  }
}

/** A format that cannot hold the image is refused before the capture where the size follows from the options. */
function* imageSizeConflicts(options: ComparedOptions, sentNames: SentNames): Generator<Conflict> {
  const { format } = options;
  if (!isFormat(format) || !isImageFormat(format)) return;
  const isFallback = sentNames.has("image_fallback_format");
  if (!limitedFormats.some((name) => name === format)) {
    if (isFallback) yield ["image_fallback_format", `has no effect for 'format' ${format}, which holds every image`];
    return;
  }
  const size = isFallback ? undefined : knownSize(options);
  if (!size || canExpress(format, size)) return;
  yield [
    "format",
    `${format} takes at most ${describeFormatLimits(format)}, and the image would measure ${size.width} × ${size.height}: ` +
      "set 'format' or 'image_fallback_format' to png, or lower the size",
  ];
}

/** The size of the image in pixels; undefined if it depends on the page. */
function knownSize(options: ComparedOptions): { readonly width: number; readonly height: number } | undefined {
  const { image_width, image_height, image_fit, clip_width, clip_height, viewport_device: device } = options;
  if (isNumber(image_width) && isNumber(image_height)) {
    const isExact = image_fit === "cover" || image_fit === "contain" || image_fit === "fill";
    return isExact ? { width: image_width, height: image_height } : undefined;
  }
  const depends = ["image_width", "image_height", "full_page", "selector", "selector_all"] as const;
  if (depends.some((name) => options[name] !== undefined && options[name] !== false) || !isMeasurable(options))
    return undefined;
  if (options.viewport_mobile ?? device?.mobile ?? options.capture_beyond_viewport === false) return undefined;
  const { device_scale_factor: scale = device?.scale ?? 1 } = options;
  if (!isNumber(scale)) return undefined;
  const isClip = isNumber(clip_width) && isNumber(clip_height);
  const { width, height } = isClip ? { width: clip_width, height: clip_height } : windowSize(options as WindowOptions);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
