// Waits until the page has loaded, as `wait_until` defines it.
import { type LoadCondition, waitForLoad } from "../../page/load-conditions.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface WaitForLoad {
  readonly option: "wait_until" | "scripts_wait_until";
  readonly conditions: readonly LoadCondition[];
}

export const waitForLoadStep: StepFactory<ReadyStep, WaitForLoad> = readyStep({
  name: "wait-for-load",
  phase: "settle",
  awaits: ({ conditions }) => `the page to load (${conditions.join(", ")})`,
  advises: ({ option, conditions }) =>
    conditions.every((condition) => condition === "domcontentloaded") ? undefined : `wait for less with ${option}`,
  run: (page, { conditions }) => waitForLoad(page, conditions),
});
