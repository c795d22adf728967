// Starts the page's clock of a deterministic capture, before the page is requested.
import { startDeterminism } from "../../emulation/determinism.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface StartPageClock {
  /** What the clock shows when the page is requested, in milliseconds since 1970. */
  readonly startsAt: number;
}

export const startPageClock: StepFactory<PrepareStep, StartPageClock> = prepareStep({
  name: "start-page-clock",
  phase: "browser",
  run: (page, { startsAt }) => startDeterminism(page, startsAt),
});
