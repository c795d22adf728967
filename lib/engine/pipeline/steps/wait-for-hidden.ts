// Waits for an element to disappear.
import * as v from "valibot";
import { invalidSelector } from "../../errors/option-errors.ts";
import { quote } from "../../errors/target-report.ts";
import type * as elements from "../../injected/elements.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { retryAtRealPace } from "../../rendering/page-time.ts";
import { hardAllowance } from "../../timing/budget.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface WaitForHidden {
  readonly selector: string;
}

export const waitForHidden: StepFactory<ReadyStep, WaitForHidden> = readyStep({
  name: "wait-for-hidden",
  awaits: ({ selector }) => `${quote(selector)} to disappear`,
  advises: () => "check wait_for_selector_hidden",
  run: async (page, { selector }) => {
    const untilHidden = () =>
      evaluateInIsolatedWorld(page, awaitHidden, selector, hardAllowance(page.budget, page.now()));
    const isHidden = await retryAtRealPace(page, untilHidden, (isHidden) => isHidden !== false);
    if (isHidden === null) throw invalidSelector("wait_for_selector_hidden", selector);
    if (!isHidden) throw new TimeoutError(`'${selector}' to disappear`);
  },
});

const awaitHidden: PageFunction<typeof elements.awaitHidden> = pageFunction("layout", "awaitHidden", {
  waitsFor: "time",
  result: v.nullable(v.boolean()),
});
