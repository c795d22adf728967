// Says what a step waits for, in the errors and warnings of timeouts.
import type { Phase } from "./phase-clock.ts";
import type { AnyStep } from "./step.ts";

/** Completes "waiting for …". Without a step, the browser has not started yet. */
export function describeAwaited(step: AnyStep | undefined): string {
  if (!step) return "the browser to start";
  return step.awaited ?? awaitedInPhase[step.phase];
}

/** The other steps take long only when the page keeps them waiting. */
const awaitedInPhase: Readonly<Record<Phase, string>> = {
  auth: "the key to be checked",
  browser: "the browser",
  navigate: "the page to respond",
  settle: "the page, which was busy",
  capture: "the page, which was busy, to be painted",
  encode: "the image to be encoded",
  store: "the result to be stored",
};
