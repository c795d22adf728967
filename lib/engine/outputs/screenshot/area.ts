// The area that is captured, in CSS pixels and in those of the image, and what it may measure.

/** A rectangle in CSS pixels, measured from the page's top left corner. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Above this many pixels a picture is taken in strips: memory grows with what Chromium paints at once. */
export const MAX_TILE_PIXELS = 16_000_000;

/** Pixels of a strip: Chromium needs about 20 bytes for each on the way to an image. */
const TARGET_TILE_PIXELS = 8_000_000;

/** The smallest area of whole pixels around one of fractions, so that no edge is cut. */
export function wholePixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** What an area measures in the image, `scale` image pixels per CSS pixel. */
export function toDevicePixels({ width, height }: Area, scale: number): { width: number; height: number } {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Cuts an area into strips, from top to bottom, that are each painted within bounded memory and at most `most` high. */
export function splitIntoTiles(area: Area, scale: number, most = Number.POSITIVE_INFINITY): Area[] {
  const affordable = Math.max(10, Math.floor(TARGET_TILE_PIXELS / (area.width * scale * scale)));
  const rows = alignedRows(Math.min(most, affordable), scale);
  const count = Math.ceil(area.height / rows);
  return Array.from({ length: count }, (_, index) => ({
    x: area.x,
    y: area.y + index * rows,
    width: area.width,
    height: Math.min(rows, area.height - index * rows),
  }));
}

/**
 * At most `most` rows of CSS pixels, so many that they end where a pixel of the image ends, or as close to it as can be:
 * devices have scales such as 2.625, and a page that is shown zoomed out can have any. Strips joined elsewhere show a seam.
 */
function alignedRows(most: number, scale: number): number {
  const fewest = Math.max(Math.ceil(most / 2), most - ROWS_TRIED);
  let best = most;
  for (let rows = most - 1; rows >= fewest; rows--) {
    if (misalignment(rows * scale) < misalignment(best * scale) - ROUNDING) best = rows;
  }
  return best;
}

const ROWS_TRIED = 1_000;
const ROUNDING = 1e-9;

function misalignment(pixels: number): number {
  return Math.abs(pixels - Math.round(pixels));
}

/** The smallest area around several, and `padding` pixels more on each side; not beyond the page's top and left. */
export function withPadding(areas: readonly Area[], padding: number): Area {
  const left = Math.max(0, Math.min(...areas.map(({ x }) => x)) - padding);
  const top = Math.max(0, Math.min(...areas.map(({ y }) => y)) - padding);
  const right = Math.max(...areas.map(({ x, width }) => x + width)) + padding;
  const bottom = Math.max(...areas.map(({ y, height }) => y + height)) + padding;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** What two areas have in common, if anything. */
export function intersect(one: Area, other: Area): Area | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
