// Waits for the time that the caller asked for.
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadyStep } from "../step-definition.ts";

interface Delay {
  readonly seconds: number;
}

export const delay: ReadyStep<"delay", Delay> = {
  name: "delay",
  phase: "settle",
  awaits: () => "the delay to pass",
  run: async (_page, { seconds }) => {
    await sleep(seconds * 1000);
  },
};
