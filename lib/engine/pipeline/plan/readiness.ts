// Plans what the caller does to the page and waits for, until it is ready to be captured.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { formatKind, isImageFormat } from "../../../options/formats.ts";
import type { PhaseStep } from "../step-registry.ts";

type Steps = Generator<PhaseStep<"ready">>;

/** A click comes before the waits, which are for what it brings about. */
export function* interact(options: CaptureOptions): Steps {
  if (options.styles) yield { name: "add-styles", styles: options.styles };
  if (options.hide_selectors) yield { name: "hide-elements", selectors: options.hide_selectors };
  if (options.scripts) yield { name: "run-scripts", scripts: options.scripts };
  if (options.scripts_wait_until) yield { name: "wait-for-load", conditions: options.scripts_wait_until };
  for (const selector of options.click ?? []) {
    yield { name: "click", selector, optional: options.error_on_click_selector_not_found === false };
  }
}

export function* waitForCondition(options: CaptureOptions): Steps {
  const { wait_for_selector: selectors, wait_for_selector_hidden: hidden, wait_for_expression: expression } = options;
  const enough = options.wait_for_selector_algorithm === "at_least_by_count" ? "all" : "any";
  if (selectors) yield { name: "wait-for-selector", selectors, enough };
  if (hidden !== undefined) yield { name: "wait-for-hidden", selector: hidden };
  if (expression !== undefined) yield { name: "wait-for-expression", expression };
  if (options.delay > 0) yield { name: "delay", seconds: options.delay };
}

/** Content that loads lazily must have been in view once, in a PDF as well. */
export function* scrollPage(options: CaptureOptions): Steps {
  const isWhole = formatKind(options.format) === "pdf" || options.full_page;
  if (!isWhole || options.full_page_scroll === false) return;
  yield {
    name: "scroll-page",
    by: options.full_page_scroll_by,
    delayMs: options.full_page_scroll_delay,
    maxHeight: options.full_page_max_height,
    ...(options.full_page_algorithm !== "by_sections" && {
      virtualizedHelp: virtualizedHelp(options),
      ...(isImageFormat(options.format) && { isCompared: true }),
    }),
  };
}

function virtualizedHelp({ format }: CaptureOptions): string {
  if (isImageFormat(format)) return "Set full_page_algorithm=by_sections.";
  return "Capture an image with full_page=true and full_page_algorithm=by_sections instead.";
}

export function* hoverElement({ hover, error_on_hover_selector_not_found }: CaptureOptions): Steps {
  if (hover === undefined) return;
  yield { name: "hover", selector: hover, optional: error_on_hover_selector_not_found === false };
}

export function* holdStill({ deterministic }: CaptureOptions): Steps {
  if (deterministic) yield { name: "hold-still" };
}
