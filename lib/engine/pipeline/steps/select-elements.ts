// Selects one element, or all elements that match, as the area of the image.

import * as v from "valibot";
import { elementOutsidePage } from "../../errors/option-errors.ts";
import type { ImageArea } from "../../formats/screenshot/image-settings.ts";
import { type PicturedArea, pictureArea } from "../../formats/screenshot/picture-area.ts";
import { type Area, intersect, wholePixels, withPadding } from "../../geometry/area.ts";
import type * as elements from "../../injected/elements.ts";
import { isSelectorNotFound, waitForElements, warnOfTransparentElements } from "../../page/elements.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { awaitScrollEffects } from "../../page/scroll-effects.ts";
import { measureLayout, measureViewport, pageOrigin } from "../../page/viewport.ts";
import { softAllowance } from "../../timing/budget.ts";
import type { CapturingPage, Output } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

/** Longest time for scrolling to all of the elements. */
const MAX_VISIT_MS = 3_000;

/** Longest wait for what an element loads once it is in view. */
const MAX_ASSETS_MS = 1_000;

interface SelectElements {
  readonly selector: string;
  /** All matches instead of the first. */
  readonly every: boolean;
  /** CSS pixels around the elements. */
  readonly padding: number;
  /** True when the elements are scrolled into view. */
  readonly visit: boolean;
  /** True when the image shows the window if nothing matches. */
  readonly optional: boolean;
  /** For an image, which shows elements as they are while they are in view. */
  readonly picture?: Pick<PicturedArea, "finishesAnimations" | "isTransparent">;
}

export const selectElements: StepFactory<CaptureStep, SelectElements> = captureStep({
  name: "select-elements",
  run: async (page, params) => {
    try {
      return await selectMatches(page, params);
    } catch (error) {
      if (!params.optional || !isSelectorNotFound(error)) throw error;
      page.warnings.push(`No visible element matched the selector '${params.selector}'; the image shows the window.`);
      return measureViewport(page);
    }
  },
});

async function selectMatches(page: CapturingPage, params: SelectElements): Promise<SelectedArea> {
  const { selector, every, visit, picture } = params;
  if (!visit) return measureElements(page, params);
  await waitForElements(page, searchFor(params));
  await showElements(page, params);
  const selected = await measureElements(page, params);
  if (!picture || (await evaluateInIsolatedWorld(page, areFixed, selector, every))) return selected;
  const { area, scale } = selected;
  const measure = async () => (await measureElements(page, params)).area;
  const taken = await pictureArea({ ...page, scale }, { area, measure, ...picture });
  return taken ? { ...taken, scale } : measureElements(page, params);
}

type SelectedArea = ImageArea & Partial<Pick<Output, "tiles">>;

const searchFor = ({ every, selector }: SelectElements) => ({
  option: every ? "selector_all" : "selector",
  selectors: [selector],
  every,
});

async function measureElements(page: CapturingPage, params: SelectElements): Promise<ImageArea> {
  const { selector, every, padding } = params;
  const search = searchFor(params);
  const areas = await waitForElements(page, search);
  await warnOfTransparentElements(page, selector, { every });
  const { metrics, scale } = await measureLayout(page);
  const origin = pageOrigin(metrics);
  const onPage = areas.map((area) => ({ ...area, x: area.x + origin }));
  assertOnPage(onPage, metrics.cssContentSize, { option: search.option, selector });
  return { area: wholePixels(withPadding(onPage, padding)), scale };
}

/** Scrolls to the elements until all of them have loaded, and leaves them uncovered and as far in view as they fit. */
async function showElements(page: CapturingPage, { selector, every, padding }: SelectElements): Promise<void> {
  const { activity, budget, now } = page;
  const { requestsStarted } = activity;
  const scrolledFrom = await scrollOffset(page);
  const visitMs = softAllowance(budget, now(), MAX_VISIT_MS);
  await evaluateInIsolatedWorld(page, visitElements, selector, every, visitMs);
  await activity.untilAnswered(requestsStarted, softAllowance(budget, now(), MAX_ASSETS_MS));
  await evaluateInIsolatedWorld(page, presentElements, selector, every, padding);
  if ((await scrollOffset(page)) !== scrolledFrom) await awaitScrollEffects(page);
  await keepHover(page, { mayScroll: true });
  await evaluateInIsolatedWorld(page, uncoverElements, selector, every);
}

/** How far the window has been scrolled down, in CSS pixels. */
async function scrollOffset(page: CapturingPage): Promise<number> {
  return (await measureLayout(page)).metrics.cssVisualViewport.pageY;
}

/** Throws `SELECTOR_NOT_FOUND` for elements outside the page: Chromium paints nothing of them, or never finishes. */
function assertOnPage(
  areas: readonly Area[],
  page: { readonly width: number; readonly height: number },
  { option, selector }: { readonly option: string; readonly selector: string },
): void {
  if (areas.some((area) => intersect(area, { ...page, x: 0, y: 0 }))) return;
  const isLeft = areas.every(({ x, width }) => x + width <= 0);
  const isAbove = areas.every(({ y, height }) => y + height <= 0);
  throw elementOutsidePage(option, selector, isLeft ? "to the left of" : isAbove ? "above" : "outside of");
}

const presentElements: PageFunction<typeof elements.presentElements> = pageFunction("layout", "presentElements", {
  waitsFor: "frames",
});

const uncoverElements: PageFunction<typeof elements.uncoverElements> = pageFunction("layout", "uncoverElements");

const areFixed: PageFunction<typeof elements.areFixed> = pageFunction("layout", "areFixed", { result: v.boolean() });

const visitElements: PageFunction<typeof elements.visitElements> = pageFunction("layout", "visitElements", {
  waitsFor: "frames",
});
