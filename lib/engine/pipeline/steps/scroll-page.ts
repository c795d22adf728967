// Scrolls through the whole page and back to the top, so that content that loads lazily has loaded.

import * as v from "valibot";
import type * as virtualized from "../../injected/virtualized.ts";
import { type ViewPurpose, ViewRecorder } from "../../outputs/screenshot/view-recorder.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { scrollThroughFrames } from "../../page/page-frames.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { scrollByStepInPage, scrollToTopInPage } from "../../page/scrolling.ts";
import { passTime, startTimeout } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { REACTION_MS } from "../../timing/scroll-waits.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest time for all of the scrolling, and longest wait at each step unless the caller set one. */
const MAX_SCROLL_MS = 20_000;
const MAX_STEP_MS = 400;

/** Exact time: longest time for all of the scrolling, on the clock of the page. Real time would end it anywhere. */
const MAX_EXACT_SCROLL_MS = 60_000;

/** How long a page at its end takes to start loading more (infinite scroll). */
const MAX_LOAD_MORE_MS = 500;

/** Virtual time at the end of the page, for scripts that add to it. Requests take none. */
const VIRTUAL_LOAD_MORE_MS = 1_000;

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
  /** True where the capture shows each part of the page while it is in the window, so that a virtualized list is not blank there. */
  readonly isInSections: boolean;
  readonly views: ViewPurpose;
}

export const scrollPage: StepFactory<ReadyStep, ScrollPage> = readyStep({
  name: "scroll-page",
  awaits: () => "the page to be scrolled through",
  effect: ({ views: _, ...scrolling }) => scrolling,
  run: async (page, params) => {
    const { budget, now, warnings } = page;
    const { maxHeight } = params;
    const virtual = page.frameScheduler?.virtualTime;
    const views = new ViewRecorder(page, params.views);
    const hasFrames = await scrollDown(page, params, views);
    await returnToTop(page);
    const framesMs = softAllowance(budget, now(), MAX_SCROLL_MS);
    if (hasFrames) await scrollThroughFrames(page, { maxHeight, leftMs: startTimeout(page, framesMs) });
    if (virtual && (await views.visitMoving(virtual))) await returnToTop(page);
    await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_IMAGES_MS), maxHeight);
    const isSeen = views.references.length > 0;
    if (!isSeen && !params.isInSections && (await evaluateInIsolatedWorld(page, countDiscardedViews, maxHeight)) > 0)
      warnings.push(
        "The page removes content that is far from its window (a virtualized list), " +
          "so that parts of the capture are blank. Capture an image with full_page=true and full_page_algorithm=by_sections.",
      );
    // The views show what is in the frames where the window has it, not where the page will have it.
    return { references: hasFrames ? [] : views.references };
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
  views: ViewRecorder,
): Promise<boolean> {
  const { activity, budget, now, warnings } = page;
  const virtual = page.frameScheduler?.virtualTime;
  const expiry = now() + softAllowance(budget, now(), MAX_SCROLL_MS);
  const leftMs = virtual?.isExact ? startTimeout(page, MAX_EXACT_SCROLL_MS) : () => expiry - now();
  let height = 0;
  await views.record();
  for (;;) {
    const { requestsStarted } = activity;
    await evaluateInIsolatedWorld(page, recordView);
    const step = await evaluateInIsolatedWorld(page, scrollByStepInPage, by ?? null);
    if (!step.moved && step.height <= height) return step.hasFrames;
    height = step.height;
    const arrivedAt = virtual?.now ?? 0;
    if (delayMs !== undefined) await passTime(page, delayMs);
    else if (virtual) await passTime(page, REACTION_MS);
    else {
      if (step.showsPlaceholder && !page.isJavaScriptDisabled) {
        const stepsLeft = Math.max(0, Math.min(step.height, maxHeight) - step.position) / (by ?? page.window.height);
        const shareMs = leftMs() / 2 / (stepsLeft + 1); // half of the time is for requests
        await passTime(page, Math.min(REACTION_MS, shareMs));
      }
      await activity.untilAnswered(requestsStarted, MAX_STEP_MS);
    }
    const isAtEnd = step.position >= step.height - 1;
    if (isAtEnd && step.canGrow && delayMs === undefined) await loadMore(page, requestsStarted);
    await views.record(arrivedAt);
    if (step.position >= maxHeight) return step.hasFrames;
    if (leftMs() <= 0) {
      warnings.push(`The time ran out while scrolling the page, at ${Math.round(step.position)} pixels from the top.`);
      return step.hasFrames;
    }
  }
}

/** Waits for the requests that the page makes when its end comes into view; `requestsStarted` is the count of earlier ones. */
async function loadMore(page: CapturedPage, requestsStarted: number): Promise<void> {
  const { activity, frameScheduler } = page;
  if (frameScheduler?.virtualTime) return passTime(page, VIRTUAL_LOAD_MORE_MS);
  await activity.until(() => activity.requestsStarted > requestsStarted, MAX_LOAD_MORE_MS);
  await activity.untilAnswered(requestsStarted, MAX_STEP_MS);
}

const countDiscardedViews: PageFunction<typeof virtualized.countDiscardedViews> = pageFunction(
  "fullPage",
  "countDiscardedViews",
  { result: v.number() },
);

const recordView: PageFunction<typeof virtualized.recordView> = pageFunction("fullPage", "recordView");
