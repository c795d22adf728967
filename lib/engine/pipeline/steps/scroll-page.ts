// Scrolls through the whole page and back to the top, so that content that loads lazily has loaded; not a page that hears nothing of it.

import { LiveVisit, type LiveVisitOptions } from "../../full-page/live-visit.ts";
import { dependsOnScrolling } from "../../full-page/scroll-dependence.ts";
import { countDiscardedViews, warnOfDiscardedViews } from "../../page/discarded-content.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { softAllowance } from "../../timing/budget.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest wait for the images of the page. */
const MAX_IMAGES_MS = 3_000;

interface ScrollPage extends LiveVisitOptions {
  /** True for a print, before which content comes back that is removed once it is far from the window. */
  readonly isPrinted: boolean;
}

export const scrollPage: StepFactory<ReadyStep, ScrollPage> = readyStep({
  name: "scroll-page",
  awaits: () => "the page to be scrolled through",
  run: async (page, { isPrinted, ...options }) => {
    const { budget, now } = page;
    const { maxHeight } = options;
    if (await dependsOnScrolling(page)) await new LiveVisit(page, options).run();
    await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_IMAGES_MS), maxHeight);
    if (!isPrinted && (await evaluateInIsolatedWorld(page, countDiscardedViews, maxHeight)) > 0)
      warnOfDiscardedViews(page);
  },
});
