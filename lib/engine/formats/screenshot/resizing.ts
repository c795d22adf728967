// Resizes an image: computes the new size, and fits the image into it.
import type { Sharp } from "sharp";
import type { Fit, Position } from "../../../contract/options/groups/output.ts";
import type { Rgba } from "../../../contract/options/values/css-color.ts";
import type { Size } from "./encoding.ts";

/** Positions that sharp finds in the content: the most detailed, or the most salient part. They apply to `cover`. */
const contentBasedPositions: readonly Position[] = ["entropy", "attention"];

export interface Resizing {
  /** Size of the box in image pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: Fit;
  readonly position: Position;
  /** CSS color of the area that `contain` leaves empty, and of transparency in formats without it. @default white */
  readonly background?: string | undefined;
}

/** The size after resizing an image of size `source`, at least a pixel per side. */
export function resizedSize(source: Size, { width, height, fit }: Resizing): Size {
  if (width === undefined && height === undefined) return source;
  if (width !== undefined && height !== undefined && isExact(fit)) return { width, height };
  const scales = [width && width / source.width, height && height / source.height].filter(
    (scale) => scale !== undefined,
  );
  if (fit === "inside") return scaleSize(source, Math.min(1, ...scales));
  return scaleSize(source, Math.max(...scales));
}

/** Pixels that must be in memory at once to find the part that `cover` keeps; 0 when no search is needed. */
export function pixelsToSearch(source: Size, { width, height, fit, position }: Resizing): number {
  if (width === undefined || height === undefined || fit !== "cover" || !isContentBased(position)) return 0;
  const scaledImage = scaleSize(source, Math.max(width / source.width, height / source.height));
  return scaledImage.width * scaledImage.height;
}

/** Resizes an image of size `source`. */
export function resizeImage(image: Sharp, source: Size, resizing: Resizing, background: Rgba): Sharp {
  const { fit, position } = resizing;
  const { width, height } = resizedSize(source, resizing);
  if (width === source.width && height === source.height) return image;
  if (fit === "cover") return image.resize({ width, height, fit, position });
  if (fit !== "contain") return image.resize({ width, height, fit: "fill" });
  return image.resize({ width, height, fit, position: isContentBased(position) ? "center" : position, background });
}

/** Where an image is after `resizeImage`: pixels per pixel, and where its left and top edges are, which may be cut off. */
export interface ResizedPlace {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly left: number;
  readonly top: number;
}

/** Where an image of size `source` is after it has been resized to a position that isn't found in its content. */
export function placeInResized(source: Size, resizing: Resizing): ResizedPlace {
  const { fit, position } = resizing;
  const size = resizedSize(source, resizing);
  const [across, down] = [size.width / source.width, size.height / source.height];
  if (fit !== "cover" && fit !== "contain") return { scaleX: across, scaleY: down, left: 0, top: 0 };
  const scale = fit === "cover" ? Math.max(across, down) : Math.min(across, down);
  const share = (first: string, last: string) => (position.includes(first) ? 0 : position.includes(last) ? 1 : 0.5);
  return {
    scaleX: scale,
    scaleY: scale,
    left: share("west", "east") * (size.width - scale * source.width),
    top: share("north", "south") * (size.height - scale * source.height),
  };
}

function isExact(fit: Fit): boolean {
  return fit === "cover" || fit === "contain" || fit === "fill";
}

function isContentBased(position: Position): boolean {
  return contentBasedPositions.includes(position);
}

function scaleSize({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
