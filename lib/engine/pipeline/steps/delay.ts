// Waits for the time that the caller asked for.
import { passTime, startVirtualTime } from "../../rendering/page-time.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface Delay {
  readonly seconds: number;
}

export const delay: StepFactory<ReadyStep, Delay> = readyStep({
  name: "delay",
  phase: "settle",
  awaits: () => "the delay to pass",
  run: async (page, { seconds }) => {
    await startVirtualTime(page);
    await passTime(page, seconds * 1000);
  },
});
