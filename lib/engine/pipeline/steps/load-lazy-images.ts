// Loads lazy images and iframes at once, for a video that scrolls through the page.

import type * as recording from "../../injected/recording.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { readinessInPage } from "../../page/load-conditions.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { softAllowance } from "../../timing/budget.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

/** Longest wait for the images. */
const MAX_IMAGES_MS = 5_000;

export const loadLazyImages: StepFactory<CaptureStep> = captureStep({
  name: "load-lazy-images",
  phase: "settle",
  run: async (page) => {
    await evaluateInIsolatedWorld(page, loadEagerlyInPage);
    const timeoutMs = softAllowance(page.budget, page.now(), MAX_IMAGES_MS);
    await evaluateInIsolatedWorld(page, readinessInPage, timeoutMs, Number.MAX_SAFE_INTEGER);
  },
});

export const loadEagerlyInPage: PageFunction<typeof recording.loadEagerly> = pageFunction("layout", "loadEagerly");
