// Compares a full page with what a visit saw, window by window.
import { compareTiles, type DecodedPicture, decodePicture, intersects, type Rect, sizeOf } from "./tiles.ts";
import type { PlainVisit, Stop } from "./visit.ts";

export interface VisitComparison {
  /** Share of the compared tiles that differ, 0 to 1. */
  readonly share: number;
  readonly compared: number;
  /** Tiles that differ, in CSS pixels of the full page. */
  readonly differing: readonly Rect[];
  /** The full page's size in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** The size that the page has for a visitor. */
  readonly visitedSize: { readonly width: number; readonly height: number };
  /** True when the full page is wider, or taller or shorter than that; one that ends at its greatest height is not shorter. */
  readonly hasOtherSize: boolean;
}

/**
 * A fixed box that covers more of the window is its background: what a visitor sees through it or on it counts. Otherwise
 * nothing would be left to compare on a page with a fixed layer.
 */
const MAX_PINNED_SHARE = 0.7;

/** Share of its size by which a full page may differ. */
const SIZE_TOLERANCE = 0.01;

/** Where a full page ends unless `full_page_max_height` says otherwise, in CSS pixels. */
const MAX_FULL_PAGE_HEIGHT = 20_000;

/**
 * Compares each window with the full page where it belongs. Fixed and sticky boxes are left out, and tiles that moved by
 * themselves between two looks. Of a page that scrolls in an inner scroller, its edges are compared in the first window, but
 * for what is below the scroller.
 */
export async function compareWithVisit(fullPage: Buffer, visit: PlainVisit): Promise<VisitComparison> {
  const full = await decodePicture(fullPage, visit.scale);
  let compared = 0;
  const differing: Rect[] = [];
  let seenDownTo = 0;
  for (const [index, stop] of visit.stops.entries()) {
    const shown = await decodePicture(stop.image, visit.scale);
    for (const part of comparedParts(visit, index)) {
      // The last window shows again what the one before has shown.
      const isSeenBefore = (tile: Rect) => part.offset > 0 && tile.top + tile.height + part.offset <= seenDownTo;
      const isBeyondEnd = (tile: Rect) => tile.top + tile.height + part.offset > MAX_FULL_PAGE_HEIGHT;
      const isLeftOut = (tile: Rect) => isSeenBefore(tile) || isBeyondEnd(tile) || isPinnedOrMoving(stop, tile, visit);
      const at = { left: part.rect.left, top: part.rect.top + part.offset };
      const result = compareTiles(shown, part.rect, full, at, { isLeftOut });
      compared += result.compared;
      differing.push(...result.differing.map((tile) => ({ ...tile, top: tile.top + part.offset })));
    }
    const { viewport } = visit.geometry;
    seenDownTo = viewport.top + viewport.height + stop.scrollTop;
  }
  const share = compared === 0 ? 0 : differing.length / compared;
  const [size, seen] = [sizeOf(full), visitedSize(visit)];
  const heights = [size.height, Math.min(seen.height, MAX_FULL_PAGE_HEIGHT)] as const;
  const hasOtherSize =
    size.width > seen.width * (1 + SIZE_TOLERANCE) ||
    Math.abs(heights[0] - heights[1]) > SIZE_TOLERANCE * Math.max(...heights);
  return { share, compared, differing, size, visitedSize: seen, hasOtherSize };
}

/** Parts of the window at a stop, and how much further down each is in the full page. */
function comparedParts({ geometry, window, stops }: PlainVisit, index: number): { rect: Rect; offset: number }[] {
  const { viewport, hasInnerScroller } = geometry;
  const offset = stops[index]?.scrollTop ?? 0;
  if (!hasInnerScroller) return [{ rect: viewport, offset }];
  const whole = (value: number) => Math.round(value);
  const [top, bottom] = [whole(viewport.top), whole(viewport.top + viewport.height)];
  const inner = { left: whole(viewport.left), top, width: whole(viewport.width), height: bottom - top };
  if (index > 0) return [{ rect: inner, offset }];
  return [{ rect: { left: 0, top: 0, width: window.width, height: bottom }, offset: 0 }];
}

function isPinnedOrMoving({ pinned, moving }: Stop, tile: Rect, { window }: PlainVisit): boolean {
  const largest = MAX_PINNED_SHARE * window.width * window.height;
  return (
    moving.some((rect) => intersects(rect, tile)) ||
    pinned.some((rect) => rect.width * rect.height <= largest && intersects(rect, tile))
  );
}

function visitedSize({ geometry, window }: PlainVisit) {
  const { viewport, scrollWidth, scrollHeight } = geometry;
  return {
    width: window.width - viewport.width + scrollWidth,
    height: window.height - viewport.height + scrollHeight,
  };
}

/**
 * What a visit saw, joined to one picture: each window where it was seen, the later one on top of the earlier. Of a page that
 * scrolls in an inner scroller, what is below it is at the end.
 */
export async function joinStops(visit: PlainVisit): Promise<DecodedPicture> {
  const { scale, window, geometry, stops } = visit;
  const end = stops.at(-1)?.scrollTop ?? 0;
  const [width, height] = [Math.round(window.width * scale), Math.round((window.height + end) * scale)];
  const pixels = Buffer.alloc(width * height * 3, 255);
  const bottom = geometry.viewport.top + geometry.viewport.height;
  const below = { left: 0, top: bottom, width: window.width, height: window.height - bottom };
  for (const [index, stop] of stops.entries()) {
    const shown = await decodePicture(stop.image, scale);
    const parts = comparedParts(visit, index);
    if (geometry.hasInnerScroller && index === stops.length - 1) parts.push({ rect: below, offset: end });
    for (const { rect, offset } of parts) {
      const [left, top] = [Math.round(rect.left * scale), Math.round(rect.top * scale)];
      const down = Math.round(offset * scale);
      for (let row = 0; row < Math.round(rect.height * scale); row++) {
        const from = ((top + row) * shown.width + left) * 3;
        shown.pixels.copy(
          pixels,
          ((top + down + row) * width + left) * 3,
          from,
          from + Math.round(rect.width * scale) * 3,
        );
      }
    }
  }
  return { pixels, width, height, scale };
}
