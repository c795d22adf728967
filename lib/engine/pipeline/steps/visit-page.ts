// Visits the whole page, and takes each window of it, so that content loads lazily and each part is seen as it is in view.

import { waitForFirstPaint } from "../../formats/screenshot/prepare-screenshot.ts";
import { dependsOnScrolling } from "../../full-page/scroll-dependence.ts";
import { PageVisit } from "../../full-page/visit.ts";
import type { VisitOptions } from "../../full-page/visit-options.ts";
import { measureViewport } from "../../page/viewport.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface VisitPage extends VisitOptions {
  /** True where a page is visited as well that hears nothing of its scrolling, and would look the same painted at once. */
  readonly isAlwaysVisited: boolean;
}

export const visitPage: StepFactory<ReadyStep, VisitPage> = readyStep({
  name: "visit-page",
  takesPictures: true,
  awaits: () => "the page to be scrolled through",
  run: async (page, { isAlwaysVisited, ...options }) => {
    if (!isAlwaysVisited && !(await dependsOnScrolling(page))) return { ignoresScrolling: true };
    await waitForFirstPaint(page);
    const { scale } = await measureViewport(page);
    return { visit: await new PageVisit({ ...page, scale }, options).run() };
  },
});
