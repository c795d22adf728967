// Sections of a page, each captured while it is in the middle of the window: as a visitor sees it who scrolls to it.

import { type Area, splitIntoTiles } from "../../geometry/area.ts";
import { offsetFixedInPage, rememberFixedPositionsInPage } from "../../page/fixed-elements.ts";
import { type HoveredPage, keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { awaitScrollEffects } from "../../page/scroll-effects.ts";
import { scrollToOffsetInPage } from "../../page/scrolling.ts";
import { softAllowance } from "../../timing/budget.ts";
import { captureArea, collectTiles, type ScaledPage, TILE_SETTINGS } from "./screenshot.ts";

/** Share of the window that a section takes: reveals often wait until an element is well within the window. */
const SECTION_SHARE = 0.7;

/** Longest wait for what a section loads. */
const MAX_ASSETS_MS = 500;

export type SectionedPage = ScaledPage & HoveredPage;

interface FixedElements {
  /** True when they keep the place that they have at the top of the page. */
  readonly freezesFixed: boolean;
}

/** Captures an area of the page section by section, as PNGs from top to bottom. The page must be at its top. */
export async function captureSections(page: SectionedPage, area: Area, fixed: FixedElements): Promise<Buffer[]> {
  if (fixed.freezesFixed) await evaluateInIsolatedWorld(page, rememberFixedPositionsInPage);
  return collectTiles(splitIntoTiles(area, page.scale, sectionHeight(page, fixed)), (section) =>
    captureSection(page, section, fixed),
  );
}

function sectionHeight({ window }: SectionedPage, { freezesFixed }: FixedElements): number {
  return freezesFixed ? Math.max(1, Math.floor(window.height * SECTION_SHARE)) : window.height;
}

/** An area of the page in CSS pixels, and a picture of it. */
export interface Part {
  readonly area: Area;
  readonly image: Buffer;
}

/** Captures areas of the page, each in sections of its own. The page must be at its top. */
export async function captureParts(page: SectionedPage, areas: readonly Area[], fixed: FixedElements): Promise<Part[]> {
  const parts: Part[] = [];
  if (fixed.freezesFixed) await evaluateInIsolatedWorld(page, rememberFixedPositionsInPage);
  for (const area of areas.flatMap((area) => splitIntoTiles(area, page.scale, sectionHeight(page, fixed)))) {
    parts.push({ area, image: await captureSection(page, area, fixed) });
  }
  return parts;
}

/**
 * Scrolls a section to the middle of the window, and captures it once it stands still. Where fixed elements are not frozen, a
 * section is all that the window shows.
 */
async function captureSection(page: SectionedPage, section: Area, { freezesFixed }: FixedElements): Promise<Buffer> {
  const { activity, window, budget, now } = page;
  const { requestsStarted } = activity;
  const top = freezesFixed ? section.y - (window.height - section.height) / 2 : section.y;
  await evaluateInIsolatedWorld(page, scrollToOffsetInPage, top);
  await awaitScrollEffects(page);
  if (freezesFixed && (await evaluateInIsolatedWorld(page, offsetFixedInPage)))
    await evaluateInIsolatedWorld(page, scrollToOffsetInPage, top);
  await keepHover(page, { mayScroll: false });
  await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_ASSETS_MS));
  await activity.untilAnswered(requestsStarted, MAX_ASSETS_MS);
  return captureArea(page, section, TILE_SETTINGS);
}
