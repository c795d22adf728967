// Waits until the page has loaded, as `wait_until` defines it.
import { type LoadCondition, waitForLoad } from "../../page/load-conditions.ts";
import type { ReadyStep } from "../step-definition.ts";

interface WaitForLoad {
  readonly conditions: readonly LoadCondition[];
}

export const waitForLoadStep: ReadyStep<"wait-for-load", WaitForLoad> = {
  name: "wait-for-load",
  phase: "settle",
  awaits: ({ conditions }) => `the page to load (${conditions.join(", ")})`,
  run: (page, { conditions }) => waitForLoad(page, conditions),
};
