// Waits for elements to appear.

import { quote } from "../../errors/target-report.ts";
import { waitForElements } from "../../page/elements.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface WaitForSelector {
  readonly selectors: readonly string[];
  readonly enough: "any" | "all";
}

export const waitForSelector: StepFactory<ReadyStep, WaitForSelector> = readyStep({
  name: "wait-for-selector",
  phase: "settle",
  awaits: ({ selectors, enough }) => {
    const names = selectors.map((selector) => quote(selector));
    return `${names.join(enough === "any" ? " or " : " and ")} to appear`;
  },
  advises: () => "check wait_for_selector",
  run: async (page, { selectors, enough }) => {
    await waitForElements(page, { option: "wait_for_selector", selectors, enough, patient: true });
  },
});
