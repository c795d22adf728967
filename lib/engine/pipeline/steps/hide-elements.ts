// Hides the elements that the caller selects, those that appear later included.
import { invalidSelector } from "../../errors/option-errors.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface HideElements {
  readonly selectors: readonly string[];
}

export const hideElementsStep: StepFactory<ReadyStep, HideElements> = readyStep({
  name: "hide-elements",
  appliesToEveryDocument: true,
  run: async (page, { selectors }) => {
    const invalid = await evaluateInIsolatedWorld(page, "hideElements", [...selectors]);
    if (invalid !== null) throw invalidSelector("hide_selectors", invalid);
  },
});
