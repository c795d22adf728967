// Grows the window until it holds all of the page, where the page has removed what was in view: there, it brings all of it back.
import { fixWindowHeights, MAX_ELEMENTS, resizePage } from "../../formats/pdf/single-page.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { countDiscardedPictures, countDiscardedViews, warnOfDiscardedViews } from "../../page/discarded-content.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { awaitScrollEffects } from "../../page/scroll-effects.ts";
import { announceScrollInPage } from "../../page/scrolling.ts";
import { measureLayout } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

/** The tallest window, in CSS pixels: Chromium paints all of it. */
const MAX_HEIGHT = 20_000;

/** A page that grows by more, as a share of its height, makes parts as tall as its window. */
const MAX_GROWTH = 1.5;

interface ShowDiscarded {
  /** CSS pixels from the top. */
  readonly maxHeight: number;
}

export const showDiscarded: StepFactory<CaptureStep, ShowDiscarded> = captureStep({
  name: "show-discarded",
  run: async (page, { maxHeight }) => {
    if (page.isJavaScriptDisabled || !(await hasDiscarded(page, maxHeight))) return;
    const grown = await growWindow(page, Math.min(maxHeight, MAX_HEIGHT));
    if ((await evaluateInIsolatedWorld(page, countDiscardedViews, maxHeight)) > 0) warnOfDiscardedViews(page);
    return grown && { window: grown.window };
  },
});

async function hasDiscarded(page: CapturedPage, maxHeight: number): Promise<boolean> {
  if ((await evaluateInIsolatedWorld(page, countDiscardedPictures)) > 0) return true;
  return (await evaluateInIsolatedWorld(page, countDiscardedViews, maxHeight)) > 0;
}

/** Lengths that depend on the height of the window stay what they are. Resolves to undefined where the page grows with its window. */
async function growWindow(page: CapturedPage, maxHeight: number): Promise<CapturedPage | undefined> {
  const { width } = page.window;
  const before = await contentHeight(page);
  await evaluateInIsolatedWorld(page, fixWindowHeights, MAX_ELEMENTS);
  const grown = await resizePage(page, { width, height: Math.min(maxHeight, before) });
  await evaluateInIsolatedWorld(page, announceScrollInPage);
  await awaitScrollEffects(grown); // scripts may set lengths by the height of the window
  await evaluateInIsolatedWorld(page, fixWindowHeights, MAX_ELEMENTS);
  if ((await contentHeight(grown)) <= MAX_GROWTH * before) return grown;
  await resizePage(grown, page.window);
  await awaitScrollEffects(page);
  return undefined;
}

async function contentHeight(page: CapturedPage): Promise<number> {
  return Math.ceil((await measureLayout(page)).metrics.cssContentSize.height);
}
