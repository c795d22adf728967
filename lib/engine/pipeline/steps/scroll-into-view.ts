// Scrolls an element into view.
import type * as elements from "../../injected/elements.ts";
import { waitForElements } from "../../page/elements.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { awaitScrollEffects } from "../../page/scroll-effects.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface ScrollIntoView {
  readonly selector: string;
  /** CSS pixels to scroll further than the top of the element. */
  readonly adjust: number;
}

export const scrollIntoView: StepFactory<CaptureStep, ScrollIntoView> = captureStep({
  name: "scroll-into-view",
  run: async (page, { selector, adjust }) => {
    await waitForElements(page, { option: "scroll_into_view", selectors: [selector] });
    await evaluateInIsolatedWorld(page, scrollToElement, selector, adjust);
    await awaitScrollEffects(page);
    await evaluateInIsolatedWorld(page, scrollToElement, selector, adjust); // a reveal may have moved it
    await keepHover(page, { mayScroll: false });
  },
});

const scrollToElement: PageFunction<typeof elements.scrollToElement> = pageFunction("layout", "scrollToElement");
