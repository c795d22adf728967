// Expands the element that scrolls in place of the document, so that a full-page capture shows all of its content.
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import type { CaptureStep } from "../step-definition.ts";

export const expandScroller: CaptureStep<"expand-scroller"> = {
  name: "expand-scroller",
  phase: "capture",
  run: async (page) => {
    await evaluateInIsolatedWorld(page, "renderEverything");
    await evaluateInIsolatedWorld(page, "expandScroller");
  },
};
