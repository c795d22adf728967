// What elements look like while they are in view.

import * as v from "valibot";
import type * as inViewStyles from "../injected/in-view-styles.ts";
import type { CapturedPage } from "./captured-page.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

export const awaitRevealsInPage: PageFunction<typeof inViewStyles.awaitReveals> = pageFunction(
  "fullPage",
  "awaitReveals",
  {
    result: v.boolean(),
  },
);

export const recordInViewInPage: PageFunction<typeof inViewStyles.recordInView> = pageFunction(
  "fullPage",
  "recordInView",
);

/** True where the page's time does not stop between two commands. */
export const isTimeRunning = ({ frameScheduler }: Pick<CapturedPage, "frameScheduler">): boolean =>
  frameScheduler?.virtualTime === undefined;

export const restoreInViewInPage: PageFunction<typeof inViewStyles.restoreInView> = pageFunction(
  "fullPage",
  "restoreInView",
);
