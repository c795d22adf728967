// Restores scrolling on a page that an overlay locked, and removes the blur behind it.
import { restoreScroll } from "../../overlays/dialogs.ts";
import type { ReadyStep } from "../step-definition.ts";

export const restoreScrollStep: ReadyStep<"restore-scroll"> = {
  name: "restore-scroll",
  phase: "settle",
  run: restoreScroll,
};
