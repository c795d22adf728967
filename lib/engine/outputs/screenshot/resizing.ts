// Gives an image another size: what the size will be, and how the image is fitted into it.
import type { Sharp } from "sharp";
import type { Fit, Position } from "../../../options/groups/output.ts";
import type { Rgba } from "../../../options/values/css-color.ts";
import type { Size } from "./encoding.ts";

/** Looked for in the content: where most is to be seen, or what draws the eye. They apply to `cover`. */
const contentBasedPositions: readonly Position[] = ["entropy", "attention"];

export interface Resizing {
  /** Of the box, in pixels of the image. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: Fit;
  readonly position: Position;
  /** A CSS colour, for what `contain` leaves and for transparency in formats that have none. White by default. */
  readonly background?: string | undefined;
}

/** The size of an image of `source` after resizing, at least a pixel on each side. */
export function resizedSize(source: Size, { width, height, fit }: Resizing): Size {
  if (width === undefined && height === undefined) return source;
  if (width !== undefined && height !== undefined && isExact(fit)) return { width, height };
  const scales = [width && width / source.width, height && height / source.height].filter(
    (scale) => scale !== undefined,
  );
  if (fit === "inside") return scaled(source, Math.min(1, ...scales));
  return scaled(source, Math.max(...scales));
}

/** The number of pixels that must be in memory at once to find the part that `cover` keeps; 0 where none must. */
export function pixelsToSearch(source: Size, { width, height, fit, position }: Resizing): number {
  if (width === undefined || height === undefined || fit !== "cover" || !isContentBased(position)) return 0;
  const whole = scaled(source, Math.max(width / source.width, height / source.height));
  return whole.width * whole.height;
}

/** `source` is the size of the image. */
export function resize(image: Sharp, source: Size, resizing: Resizing, background: Rgba): Sharp {
  const { fit, position } = resizing;
  const { width, height } = resizedSize(source, resizing);
  if (width === source.width && height === source.height) return image;
  if (fit === "cover") return image.resize({ width, height, fit, position });
  if (fit !== "contain") return image.resize({ width, height, fit: "fill" });
  return image.resize({ width, height, fit, position: isContentBased(position) ? "center" : position, background });
}

function isExact(fit: Fit): boolean {
  return fit === "cover" || fit === "contain" || fit === "fill";
}

function isContentBased(position: Position): boolean {
  return contentBasedPositions.includes(position);
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
