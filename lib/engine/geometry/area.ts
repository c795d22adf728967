// Geometry of the captured area, in CSS and in device pixels, and its division into tiles.

/** A rectangle in CSS pixels, relative to the page's top left corner. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Larger screenshots are taken in tiles: memory grows with what Chromium paints at once. */
export const MAX_TILE_PIXELS = 16_000_000;

/** Pixels of a tile; Chromium needs about 20 bytes for each while it paints and encodes. */
const TARGET_TILE_PIXELS = 8_000_000;

/** Grows an area to whole CSS pixels, so that no edge is cut. */
export function wholePixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** Size of an area in the image, with `scale` image pixels per CSS pixel. */
export function toDevicePixels({ width, height }: Area, scale: number): { width: number; height: number } {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/**
 * Divides an area into tiles, top to bottom, each painted within bounded memory and at most `maxRows` CSS pixels high.
 */
export function splitIntoTiles(area: Area, scale: number, maxRows = Number.POSITIVE_INFINITY): Area[] {
  const rowsWithinMemory = Math.max(10, Math.floor(TARGET_TILE_PIXELS / (area.width * scale * scale)));
  const rows = alignedRows(Math.min(maxRows, rowsWithinMemory), scale);
  const count = Math.ceil(area.height / rows);
  return Array.from({ length: count }, (_, index) => ({
    x: area.x,
    y: area.y + index * rows,
    width: area.width,
    height: Math.min(rows, area.height - index * rows),
  }));
}

/**
 * Chooses the height of a tile, at most `maxRows` CSS pixels, so that it ends on a device pixel, or as close to one as
 * possible: devices have scale factors such as 2.625, and a page zoomed out can have any. Tiles joined elsewhere show a
 * seam.
 */
function alignedRows(maxRows: number, scale: number): number {
  const minRows = Math.max(Math.ceil(maxRows / 2), maxRows - MAX_ROWS_TRIED);
  let best = maxRows;
  for (let rows = maxRows - 1; rows >= minRows; rows--) {
    if (misalignment(rows * scale) < misalignment(best * scale) - ROUNDING) best = rows;
  }
  return best;
}

const MAX_ROWS_TRIED = 1_000;
const ROUNDING = 1e-9;

function misalignment(pixels: number): number {
  return Math.abs(pixels - Math.round(pixels));
}

/**
 * The bounding box of several areas, extended by `padding` pixels on each side, but not beyond the page's top and left.
 */
export function withPadding(areas: readonly Area[], padding: number): Area {
  const left = Math.max(0, Math.min(...areas.map(({ x }) => x)) - padding);
  const top = Math.max(0, Math.min(...areas.map(({ y }) => y)) - padding);
  const right = Math.max(...areas.map(({ x, width }) => x + width)) + padding;
  const bottom = Math.max(...areas.map(({ y, height }) => y + height)) + padding;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The intersection of two areas, if any. */
export function intersect(one: Area, other: Area): Area | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
