// Moves the mouse pointer over an element and waits for what that loads.

import { quote } from "../../errors/target-report.ts";
import { type ElementTarget, waitForElement } from "../../page/elements.ts";
import { scrollToPointInPage } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { moveMouse } from "../../page/mouse.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

export const hover: StepFactory<ReadyStep, ElementTarget> = readyStep({
  name: "hover",
  awaits: ({ selector }) => `${quote(selector)} to be hovered over`,
  run: async (page, element) => {
    const { selector } = element;
    if (!(await waitForElement(page, "hover", element))) return;
    const { point } = await evaluateInIsolatedWorld(page, scrollToPointInPage, selector);
    if (!point) {
      page.warnings.push(`Another element covers '${selector}' of 'hover', so it was not hovered over.`);
      return;
    }
    await moveMouse(page, point);
    page.pointer.hovered = selector;
    await waitForLoad(page);
  },
});
