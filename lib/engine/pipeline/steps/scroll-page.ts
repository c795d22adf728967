// Scrolls through the whole page and back to the top, so that content that loads lazily has loaded.

import * as v from "valibot";
import type * as virtualized from "../../injected/virtualized.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { loadMore } from "../../page/load-more.ts";
import { scrollThroughFrames } from "../../page/page-frames.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { scrollByStepInPage, scrollToTopInPage } from "../../page/scrolling.ts";
import { ViewRecorder } from "../../page/view-recorder.ts";
import { passTime, startTimeout } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { REACTION_MS } from "../../timing/scroll-waits.ts";
import { VisitBudget } from "../../timing/visit-budget.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest time for all of the scrolling, and longest wait at each step unless the caller set one. */
const MAX_SCROLL_MS = 20_000;
const MAX_STEP_MS = 400;

/** Exact time: longest time for all of the scrolling, on the clock of the page. Real time would end it anywhere. */
const MAX_EXACT_SCROLL_MS = 60_000;

/** Longest wait for the images of the page. */
const MAX_IMAGES_MS = 3_000;

/** Longest wait for elements that fade out when the page is back at its top. */
const MAX_FADE_MS = 1_000;

interface ScrollPage {
  /** CSS pixels per step; undefined for a step of the window's height. */
  readonly by: number | undefined;
  /** Wait after each step; undefined to wait for what the step loads. */
  readonly delayMs: number | undefined;
  /** Where scrolling ends, in CSS pixels from the top. */
  readonly maxHeight: number;
}

export const scrollPage: StepFactory<ReadyStep, ScrollPage> = readyStep({
  name: "scroll-page",
  awaits: () => "the page to be scrolled through",
  run: async (page, params) => {
    const { budget, now, warnings } = page;
    const { maxHeight } = params;
    const virtual = page.frameScheduler?.virtualTime;
    const views = new ViewRecorder(page);
    const stops = new VisitBudget(budget, now);
    const hasFrames = await scrollDown(page, params, { views, stops });
    await returnToTop(page);
    const framesMs = softAllowance(budget, now(), MAX_SCROLL_MS);
    if (hasFrames) await scrollThroughFrames(page, { maxHeight, leftMs: startTimeout(page, framesMs) });
    if (virtual && !stops.isUsedUp && (await views.visitMoving(virtual))) await returnToTop(page);
    await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_IMAGES_MS), maxHeight);
    if ((await evaluateInIsolatedWorld(page, countDiscardedViews, maxHeight)) > 0)
      warnings.push(
        "The page removes content that is far from its window (a virtualized list), " +
          "so that parts of the capture are blank. Capture an image with full_page=true.",
      );
  },
});

async function returnToTop(page: CapturedPage): Promise<void> {
  const fadeMs = softAllowance(page.budget, page.now(), MAX_FADE_MS);
  await evaluateInIsolatedWorld(page, scrollToTopInPage, fadeMs);
}

/**
 * Scrolls to the end of the page, to `maxHeight`, or until the time is up, as on a page that grows without end. Returns whether
 * frames scroll in its place.
 */
async function scrollDown(
  page: CapturedPage,
  { by, delayMs, maxHeight }: ScrollPage,
  { views, stops }: { readonly views: ViewRecorder; readonly stops: VisitBudget },
): Promise<boolean> {
  const { activity, budget, now, warnings } = page;
  const virtual = page.frameScheduler?.virtualTime;
  const expiry = now() + softAllowance(budget, now(), MAX_SCROLL_MS);
  const leftMs = virtual?.isExact ? startTimeout(page, MAX_EXACT_SCROLL_MS) : () => expiry - now();
  let [height, position, isHurried] = [0, page.window.height, false];
  await views.record();
  for (;;) {
    const { requestsStarted } = activity;
    await evaluateInIsolatedWorld(page, recordView);
    if (!isHurried && stops.isUsedUp) {
      isHurried = true;
      warnings.push(
        `The time for scrolling ran out at ${Math.round(position)} pixels from the top: what appears further down while the page ` +
          "is scrolled may be missing. A larger timeout helps.",
      );
    }
    const step = await evaluateInIsolatedWorld(page, scrollByStepInPage, by ?? (isHurried ? page.window.height : null));
    if (!step.moved && step.height <= height) return step.hasFrames;
    ({ height, position } = step);
    const arrivedAt = virtual?.now ?? 0;
    if (delayMs !== undefined) await passTime(page, delayMs);
    else if (virtual) await passTime(page, isHurried ? 0 : REACTION_MS);
    else {
      if (step.showsPlaceholder && !page.isJavaScriptDisabled && !isHurried) {
        const stepsLeft = Math.max(0, Math.min(step.height, maxHeight) - step.position) / (by ?? page.window.height);
        const shareMs = leftMs() / 2 / (stepsLeft + 1); // half of the time is for requests
        await passTime(page, Math.min(REACTION_MS, shareMs));
      }
      await activity.untilAnswered(requestsStarted, MAX_STEP_MS);
    }
    const isAtEnd = step.position >= step.height - 1;
    if (isAtEnd && step.canGrow && delayMs === undefined) await loadMore(page, requestsStarted);
    await views.record(arrivedAt, { isHurried });
    if (step.position >= maxHeight) return step.hasFrames;
    if (leftMs() <= 0) {
      warnings.push(`The time ran out while scrolling the page, at ${Math.round(step.position)} pixels from the top.`);
      return step.hasFrames;
    }
  }
}

const countDiscardedViews: PageFunction<typeof virtualized.countDiscardedViews> = pageFunction(
  "fullPage",
  "countDiscardedViews",
  { result: v.number() },
);

const recordView: PageFunction<typeof virtualized.recordView> = pageFunction("fullPage", "recordView");
