// Fails the capture when the page shows an element that it must not have.

import { contentRuleFailed, invalidSelector } from "../../errors/option-errors.ts";
import { findElementsInPage } from "../../page/elements.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface CheckSelectors {
  readonly selectors: readonly string[];
}

export const checkSelectors: StepFactory<CaptureStep, CheckSelectors> = captureStep({
  name: "check-selectors",
  phase: "settle",
  run: async (page, { selectors }) => {
    const option = "fail_if_selector_present";
    const found = await evaluateInIsolatedWorld(page, findElementsInPage, [...selectors], "any", false, 0);
    if (found.invalid !== null) throw invalidSelector(option, found.invalid);
    const present = found.areas.findIndex((area) => area !== null);
    if (present >= 0) throw contentRuleFailed(option, `the page shows an element that matches '${selectors[present]}'`);
  },
});
