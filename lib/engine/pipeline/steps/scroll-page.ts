// Scrolls through the whole page and back to the top, so that content that loads lazily has loaded.

import * as v from "valibot";
import { LiveVisit, type LiveVisitOptions } from "../../full-page/live-visit.ts";
import type * as virtualized from "../../injected/virtualized.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { softAllowance } from "../../timing/budget.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest wait for the images of the page. */
const MAX_IMAGES_MS = 3_000;

export const scrollPage: StepFactory<ReadyStep, LiveVisitOptions> = readyStep({
  name: "scroll-page",
  awaits: () => "the page to be scrolled through",
  run: async (page, options) => {
    const { budget, now, warnings } = page;
    const { maxHeight } = options;
    await new LiveVisit(page, options).run();
    await evaluateInIsolatedWorld(page, readinessInPage, softAllowance(budget, now(), MAX_IMAGES_MS), maxHeight);
    if ((await evaluateInIsolatedWorld(page, countDiscardedViews, maxHeight)) > 0)
      warnings.push(
        "The page removes content that is far from its window (a virtualized list), " +
          "so that parts of the capture are blank. Capture an image with full_page=true.",
      );
  },
});

const countDiscardedViews: PageFunction<typeof virtualized.countDiscardedViews> = pageFunction(
  "fullPage",
  "countDiscardedViews",
  { result: v.number() },
);
