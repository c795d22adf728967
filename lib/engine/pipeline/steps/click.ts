// Clicks an element and waits for what the click loads.

import { quote } from "../../errors/target-report.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { departure, hasDeparted } from "../../page/departure.ts";
import { type ElementTarget, waitForElement } from "../../page/elements.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { clickMouse } from "../../page/mouse.ts";
import type { ReadyStep } from "../step-definition.ts";

export const click: ReadyStep<"click", ElementTarget> = {
  name: "click",
  phase: "settle",
  awaits: ({ selector }) => `${quote(selector)} to be clicked`,
  mayNavigate: true,
  runsOnce: true,
  run: async (page, element) => {
    const { activity, warnings } = page;
    const { selector } = element;
    if (!(await waitForElement(page, "click", element))) return;
    const before = departure(activity);
    const { isDisabled } = await evaluateInIsolatedWorld(page, "scrollIntoView", selector);
    if (isDisabled) warnings.push(`The element '${selector}' of 'click' is disabled; nothing was clicked.`);
    else await press(page, selector);
    // A form is submitted, and a link followed, in a task after the click.
    await evaluateInIsolatedWorld(page, "nextTask");
    await hasDeparted(activity, before);
    await waitForLoad(page);
    await evaluateInIsolatedWorld(page, "scrollBack");
  },
};

/** Clicks with the mouse; an element behind another one is clicked by script, as assistive technology does. */
async function press(page: CapturedPage, selector: string): Promise<void> {
  const { point } = await evaluateInIsolatedWorld(page, "scrollToPoint", selector);
  if (point) await clickMouse(page, point);
  else await evaluateInIsolatedWorld(page, "clickCovered", selector);
}
