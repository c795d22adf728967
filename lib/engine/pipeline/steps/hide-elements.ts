// Hides the elements that the caller selects, those that appear later included.
import * as v from "valibot";
import { invalidSelector } from "../../errors/option-errors.ts";
import type * as styles from "../../injected/styles.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface HideElements {
  readonly selectors: readonly string[];
}

export const hideElementsStep: StepFactory<ReadyStep, HideElements> = readyStep({
  name: "hide-elements",
  appliesToEveryDocument: true,
  run: async (page, { selectors }) => {
    const invalid = await evaluateInIsolatedWorld(page, hideElements, [...selectors]);
    if (invalid !== null) throw invalidSelector("hide_selectors", invalid);
  },
});

const hideElements: PageFunction<typeof styles.hideElements> = pageFunction("layout", "hideElements", {
  result: v.nullable(v.string()),
});
