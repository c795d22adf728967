// Restores scrolling on a page that an overlay locked, and removes the blur behind it.
import { restoreScroll } from "../../overlays/dialogs.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

export const restoreScrollStep: StepFactory<ReadyStep> = readyStep({
  name: "restore-scroll",
  phase: "settle",
  run: restoreScroll,
});
