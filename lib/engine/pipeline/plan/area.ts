// Plans which part of the page a capture shows, and in which state of its animations.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import type { PhaseStep } from "../step-registry.ts";

export function* scrollIntoView({
  scroll_into_view: selector,
  scroll_into_view_adjust_top: adjust,
}: CaptureOptions): Generator<PhaseStep<"capture">> {
  if (selector !== undefined) yield { name: "scroll-into-view", selector, adjust };
}

/** `isCompared`: for an image, which shows its area as it is while it is in view. */
export function selectArea(
  options: CaptureOptions,
  compared: { readonly isCompared?: true } = {},
): PhaseStep<"capture"> {
  const { selector, selector_all, clip_x: x, clip_y: y, clip_width: width, clip_height: height } = options;
  const elements = selector ?? selector_all;
  if (elements !== undefined) {
    return {
      name: "select-elements",
      selector: elements,
      every: selector_all !== undefined,
      padding: options.selector_padding,
      visit: options.selector_scroll_into_view,
      optional: options.error_on_selector_not_found === false,
      ...compared,
    };
  }
  if (x !== undefined && y !== undefined && width !== undefined && height !== undefined) {
    return { name: "select-clip", area: { x, y, width, height }, ...compared };
  }
  if (!options.full_page) return { name: "select-viewport" };
  return { name: "select-full-page", maxHeight: options.full_page_max_height };
}

/** Scroll-driven animations of a capture of more than the window keep the progress that they have in view. */
export function finishAnimations(options: CaptureOptions): PhaseStep<"capture"> {
  const isWhole = options.format === "pdf" || selectArea(options).name !== "select-viewport";
  return { name: "finish-animations", ...(isWhole && { areScrollDrivenHeld: true }) };
}
