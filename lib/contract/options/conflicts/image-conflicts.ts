// Conflicts between options of an image that are valid alone: its size, its format, and how it fits into a box.
import { isImageFormat } from "../formats.ts";
import type { CaptureOptionName } from "../groups/all.ts";
import { canExpress, describeFormatLimits, limitedFormats } from "../image-limits.ts";
import type { SentNames } from "../parse-options.ts";
import { enumeration } from "../values/enumeration.ts";
import { windowSize } from "../values/window-size.ts";
import { type ComparedOptions, type Conflict, type RequestedNames, windowOptions } from "./conflict.ts";

export function* imageConflicts(options: ComparedOptions, names: SentNames): Generator<Conflict> {
  yield* imageFitConflicts(options, names.requested);
  yield* imageSizeConflicts(options, names);
}

/** The values of `image_fit` for which an option has an effect, because they crop or pad the image. */
const imageFitsByOption = [
  ["image_position", ["cover", "contain"]],
  ["image_background", ["contain"]],
] as const;

function* imageFitConflicts(
  { image_fit, image_position }: ComparedOptions,
  requested: RequestedNames,
): Generator<Conflict> {
  if (image_fit === undefined) return;
  for (const [name, values] of imageFitsByOption) {
    if (!requested.has(name)) continue;
    if (!values.some((value) => value === image_fit)) {
      yield [name, `applies only to 'image_fit' ${enumeration(values)}, but 'image_fit' is ${image_fit}`];
    } else if (requested.has("image_width") !== requested.has("image_height")) {
      yield [name, "requires both 'image_width' and 'image_height': with only one, nothing is cropped or padded"];
    }
  }
  if (image_fit === "contain" && (image_position === "entropy" || image_position === "attention")) {
    yield ["image_position", `is ${image_position}, which requires 'image_fit' cover, but 'image_fit' is contain`];
  }
}

/** A format that cannot hold the image is refused before the capture where the size follows from the options. */
function* imageSizeConflicts(options: ComparedOptions, { requested, invalid }: SentNames): Generator<Conflict> {
  const { format } = options;
  if (format === undefined || !isImageFormat(format)) return;
  const isFallback = requested.has("image_fallback_format");
  if (!limitedFormats.some((name) => name === format)) {
    if (isFallback) yield ["image_fallback_format", `has no effect for 'format' ${format}, which holds every image`];
    return;
  }
  const size = isFallback ? undefined : knownSize(options, invalid);
  if (!size || canExpress(format, size)) return;
  yield [
    "format",
    `${format} takes at most ${describeFormatLimits(format)}, and the image would measure ${size.width} × ${size.height}: ` +
      "set 'format' or 'image_fallback_format' to png, or lower the size",
  ];
}

/** The size of the image in pixels; undefined if it depends on the page, or on an invalid option. */
function knownSize(
  options: ComparedOptions,
  invalid: SentNames["invalid"],
): { readonly width: number; readonly height: number } | undefined {
  const ofWindow = windowOptions(options, invalid);
  if (!ofWindow || sizeOptions.some((name) => invalid.has(name))) return undefined;
  const { image_width, image_height, image_fit, clip_width, clip_height, viewport_device: device } = options;
  if (image_width !== undefined && image_height !== undefined) {
    const isExact = image_fit === "cover" || image_fit === "contain" || image_fit === "fill";
    return isExact ? { width: image_width, height: image_height } : undefined;
  }
  const depends = ["image_width", "image_height", "full_page", "selector", "selector_all"] as const;
  if (depends.some((name) => options[name] !== undefined && options[name] !== false)) return undefined;
  if (options.viewport_mobile ?? device?.mobile ?? options.capture_beyond_viewport === false) return undefined;
  const { device_scale_factor: scale = device?.scale ?? 1 } = options;
  const isClip = clip_width !== undefined && clip_height !== undefined;
  const { width, height } = isClip ? { width: clip_width, height: clip_height } : windowSize(ofWindow);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

const sizeOptions = [
  "image_width",
  "image_height",
  "image_fit",
  "full_page",
  "selector",
  "selector_all",
  "clip_width",
  "clip_height",
  "device_scale_factor",
  "viewport_mobile",
  "capture_beyond_viewport",
] as const satisfies readonly CaptureOptionName[];
