// Scrolls through an area that the window does not show whole, so that it is captured as a visitor sees it who scrolls to it.

import { type Area, intersect } from "../../geometry/area.ts";
import { isTimeRunning, restoreInViewInPage } from "../../page/in-view.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { awaitScrollEffects } from "../../page/scroll-effects.ts";
import { scrollToOffsetInPage } from "../../page/scrolling.ts";
import { measureLayout } from "../../page/viewport.ts";
import { passTime } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { REACTION_MS } from "../../timing/scroll-waits.ts";
import type { Reference } from "./reference-views.ts";
import { isAreaInWindow, type ScaledPage } from "./screenshot.ts";
import { ViewRecorder } from "./view-recorder.ts";

/** Longest time for all of the scrolling, and longest wait for what it loads. */
const MAX_SCROLL_MS = 10_000;
const MAX_ASSETS_MS = 1_000;

export interface ScrolledArea {
  /** What the window showed of the area. */
  readonly references: readonly Reference[];
  /** Areas of the page in which elements are where they were when they were in view, in CSS pixels. */
  readonly movedInView: readonly Area[];
}

/**
 * Scrolls the window through `area`, in CSS pixels of the page, and back; then gives elements the styles that they had in view.
 * Returns undefined where the window shows all of the area already.
 */
export async function scrollThroughArea(page: ScaledPage, area: Area): Promise<ScrolledArea | undefined> {
  const { activity, budget, now, window } = page;
  const { metrics } = await measureLayout(page);
  const { cssContentSize, cssVisualViewport } = metrics;
  const onPage = intersect(area, { ...cssContentSize, x: 0, y: 0 });
  if (!onPage || page.isJavaScriptDisabled || (await isAreaInWindow(page, onPage))) return undefined;
  const views = new ViewRecorder(page, "comparison");
  const { requestsStarted } = activity;
  await views.record(); // changes are observed from now on
  const expiry = now() + softAllowance(budget, now(), MAX_SCROLL_MS);
  for (let top = onPage.y; top < onPage.y + onPage.height && now() < expiry; top += window.height) {
    const arrivedAt = page.frameScheduler?.virtualTime?.now;
    await evaluateInIsolatedWorld(page, scrollToOffsetInPage, top);
    await passTime(page, REACTION_MS);
    await views.record(arrivedAt);
  }
  await activity.untilAnswered(requestsStarted, softAllowance(budget, now(), MAX_ASSETS_MS));
  await evaluateInIsolatedWorld(page, scrollToOffsetInPage, cssVisualViewport.pageY);
  await awaitScrollEffects(page); // what is hidden again has its final styles, with which those in view are compared
  await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_ASSETS_MS));
  return {
    references: views.references,
    movedInView: await evaluateInIsolatedWorld(page, restoreInViewInPage, isTimeRunning(page)),
  };
}
