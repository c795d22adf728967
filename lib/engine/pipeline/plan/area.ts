// Plans which part of the page a capture shows, and in which state of its animations.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { finishAnimations } from "../../page/animations.ts";
import { measureViewport } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";
import { scrollIntoView } from "../steps/scroll-into-view.ts";
import { selectClip } from "../steps/select-clip.ts";
import { selectElements } from "../steps/select-elements.ts";
import { selectFullPage } from "../steps/select-full-page.ts";

export function* planScrollIntoView({
  scroll_into_view: selector,
  scroll_into_view_adjust_top: adjust,
}: EngineOptions): Generator<CaptureStep> {
  if (selector !== undefined) yield scrollIntoView({ selector, adjust });
}

/** `isPictured`: for an image, which shows its area as it is while it is in view. */
export function planArea(options: EngineOptions, { isPictured = false } = {}): CaptureStep {
  const { disable_animations: finishesAnimations, omit_background: isTransparent } = options;
  const pictured = isPictured && { picture: { finishesAnimations, isTransparent } };
  const { selector, selector_all, clip_x: x, clip_y: y, clip_width: width, clip_height: height } = options;
  const elements = selector ?? selector_all;
  if (elements !== undefined) {
    return selectElements({
      selector: elements,
      every: selector_all !== undefined,
      padding: options.selector_padding,
      visit: options.selector_scroll_into_view,
      optional: options.error_on_selector_not_found === false,
      ...pictured,
    });
  }
  if (x !== undefined && y !== undefined && width !== undefined && height !== undefined) {
    return selectClip({ area: { x, y, width, height }, ...pictured });
  }
  if (!options.full_page) return selectViewport();
  return selectFullPage({ maxHeight: options.full_page_max_height });
}

/** True for a capture of the window, false for one of an element, a rectangle or the whole page. */
export function showsWindow({ selector, selector_all, clip_x, full_page }: EngineOptions): boolean {
  return !full_page && selector === undefined && selector_all === undefined && clip_x === undefined;
}

/** Scroll-driven animations of a capture of more than the window keep the progress that they have in view. */
export function planAnimations(options: EngineOptions): CaptureStep {
  const isWhole = options.format === "pdf" || !showsWindow(options);
  return finishAnimationsStep({ ...(isWhole && { areScrollDrivenHeld: true }) });
}

/** Selects the viewport as the area of the image. */
const selectViewport = captureStep({
  name: "select-viewport",
  run: measureViewport,
});

interface FinishAnimations {
  /** True for a capture of more than the window: scroll-driven animations keep the progress that they have in view. */
  readonly areScrollDrivenHeld?: true;
}

/** Finishes CSS animations and transitions, and waits for what scripts animate, such as charts. */
export const finishAnimationsStep: StepFactory<CaptureStep, FinishAnimations> = captureStep({
  name: "finish-animations",
  run: async (page, { areScrollDrivenHeld }) => {
    if (page.visit) return undefined; // its windows are taken
    await finishAnimations(page, areScrollDrivenHeld ?? false);
    return { areAnimationsFinished: true };
  },
});
