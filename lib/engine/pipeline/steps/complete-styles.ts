// Applies the caller's styles to shadow roots that have appeared since, and warns of selectors that hide nothing.
import * as v from "valibot";
import type * as styles from "../../injected/styles.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface CompleteStyles {
  /** Those of `hide_selectors`. */
  readonly hidden: readonly string[];
}

export const completeStyles: StepFactory<CaptureStep, CompleteStyles> = captureStep({
  name: "complete-styles",
  run: async (page, { hidden }) => {
    await evaluateInIsolatedWorld(page, styleShadowRoots);
    const unmatched = await evaluateInIsolatedWorld(page, findUnmatched, [...hidden]);
    for (const selector of unmatched) {
      page.warnings.push(`No element matched the selector '${selector}' of 'hide_selectors'.`);
    }
  },
});

const findUnmatched: PageFunction<typeof styles.findUnmatched> = pageFunction("layout", "findUnmatched", {
  result: v.array(v.string()),
});

const styleShadowRoots: PageFunction<typeof styles.styleShadowRoots> = pageFunction("layout", "styleShadowRoots");
