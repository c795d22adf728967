// Pictures a part of the page that the window does not show whole: visits its rows, and crops it from the stitched picture.

import { dependsOnScrolling } from "../../full-page/scroll-dependence.ts";
import { stitch } from "../../full-page/stitch.ts";
import { PageVisit, type Visit } from "../../full-page/visit.ts";
import type { VisitedPage } from "../../full-page/visit-windows.ts";
import { type Area, intersect } from "../../geometry/area.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { scrollToOffsetInPage } from "../../page/scrolling.ts";
import { measureLayout } from "../../page/viewport.ts";
import { isAreaInWindow } from "./screenshot.ts";

export interface AreaPicture {
  /** The area as it is after its rows were visited, in CSS pixels of the page. */
  readonly area: Area;
  /** PNGs from top to bottom. */
  readonly tiles: readonly Buffer[];
}

export interface PicturedArea {
  readonly area: Area;
  /** The area as it is now, which may have moved or grown while its rows were visited. */
  readonly measure: () => Promise<Area>;
  readonly finishesAnimations: boolean;
  /** True where the picture keeps what the page leaves transparent. */
  readonly isTransparent: boolean;
}

/** How often the rows are visited of an area that moves or grows by it. */
const MAX_VISITS = 2;

/** Two areas whose edges are so close are the same, in CSS pixels. */
const SAME_PLACE = 1;

/**
 * Returns undefined where a look at all of the area shows what its windows would: the window shows it whole, the page hears nothing of its
 * scrolling, or does not scroll along it. The page is scrolled to where it was.
 */
export async function pictureArea(
  page: VisitedPage,
  { area, measure, finishesAnimations, isTransparent }: PicturedArea,
): Promise<AreaPicture | undefined> {
  const { metrics } = await measureLayout(page);
  const { cssContentSize, cssVisualViewport } = metrics;
  const onPage = intersect(area, { ...cssContentSize, x: 0, y: 0 });
  if (!onPage || page.isJavaScriptDisabled || (await isAreaInWindow(page, onPage))) return undefined;
  if (!(await dependsOnScrolling(page))) return undefined;
  let visited = area;
  for (let visits = 1; ; visits++) {
    const { y: from, height } = visited;
    const rows = { from, maxHeight: from + height };
    const options = {
      ...rows,
      scenes: "stages" as const,
      findsPanes: false,
      hidesPinned: true,
      finishesAnimations,
      isTransparent,
    };
    const visit = await new PageVisit(page, options).run();
    await evaluateInIsolatedWorld(page, scrollToOffsetInPage, cssVisualViewport.pageY);
    const now = await measure();
    if (!isCovered(now, visit)) return undefined;
    if (visits === MAX_VISITS || isSame(now, visited))
      return { area: now, tiles: await crop(visit, now, isTransparent) };
    visited = now;
  }
}

async function crop(visit: Visit, area: Area, isTransparent: boolean): Promise<readonly Buffer[]> {
  const top = Math.min(...visit.windows.map((window) => window.top));
  const windows = visit.windows.map((window) => ({ ...window, top: window.top - top }));
  const part = { ...area, x: area.x - visit.area.x, y: area.y - top };
  const { tiles } = await stitch({ ...visit, windows }, { maxHeight: Infinity, crop: { part, isTransparent } });
  return tiles;
}

/** True when the windows show all rows of the area that the page has. */
function isCovered({ y, height }: Area, { windows, panes, area }: Visit): boolean {
  const tops = windows.map(({ top }) => top);
  const pageHeight = Math.max(...panes.map(({ maxOffset }) => maxOffset)) + area.height;
  const isBelowTop = Math.min(...tops) <= Math.max(0, y) + SAME_PLACE;
  return isBelowTop && Math.max(...tops) + area.height >= Math.min(y + height, pageHeight) - SAME_PLACE;
}

function isSame(one: Area, other: Area): boolean {
  return (["x", "y", "width", "height"] as const).every((edge) => Math.abs(one[edge] - other[edge]) <= SAME_PLACE);
}
