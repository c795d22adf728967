// Plans what the caller does to the page and waits for, until it is ready to be captured.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { formatKind, isImageFormat } from "../../../options/formats.ts";
import type { ReadyStep } from "../step.ts";
import { addStyles } from "../steps/add-styles.ts";
import { click } from "../steps/click.ts";
import { delay } from "../steps/delay.ts";
import { hideElementsStep } from "../steps/hide-elements.ts";
import { holdStill } from "../steps/hold-still.ts";
import { hover } from "../steps/hover.ts";
import { runScripts } from "../steps/run-scripts.ts";
import { scrollPage } from "../steps/scroll-page.ts";
import { waitForExpression } from "../steps/wait-for-expression.ts";
import { waitForHidden } from "../steps/wait-for-hidden.ts";
import { waitForLoadStep } from "../steps/wait-for-load.ts";
import { waitForSelector } from "../steps/wait-for-selector.ts";

type Steps = Generator<ReadyStep>;

/** A click comes before the waits, which are for what it brings about. */
export function* planInteraction(options: CaptureOptions): Steps {
  if (options.styles) yield addStyles({ styles: options.styles });
  if (options.hide_selectors) yield hideElementsStep({ selectors: options.hide_selectors });
  if (options.scripts) yield runScripts({ scripts: options.scripts });
  if (options.scripts_wait_until)
    yield waitForLoadStep({ option: "scripts_wait_until", conditions: options.scripts_wait_until });
  for (const selector of options.click ?? []) {
    yield click({ selector, optional: options.error_on_click_selector_not_found === false });
  }
}

export function* planWaits(options: CaptureOptions): Steps {
  const { wait_for_selector: selectors, wait_for_selector_hidden: hidden, wait_for_expression: expression } = options;
  const enough = options.wait_for_selector_algorithm === "at_least_by_count" ? "all" : "any";
  if (selectors) yield waitForSelector({ selectors, enough });
  if (hidden !== undefined) yield waitForHidden({ selector: hidden });
  if (expression !== undefined) yield waitForExpression({ expression });
  if (options.delay > 0) yield delay({ seconds: options.delay });
}

/** Content that loads lazily must have been in view once, in a PDF as well. */
export function* planScrolling(options: CaptureOptions): Steps {
  const isWhole = formatKind(options.format) === "pdf" || options.full_page;
  if (!isWhole || options.full_page_scroll === false) return;
  yield scrollPage({
    by: options.full_page_scroll_by,
    delayMs: options.full_page_scroll_delay,
    maxHeight: options.full_page_max_height,
    ...(options.full_page_algorithm !== "by_sections" && {
      virtualizedHelp: virtualizedHelp(options),
      ...(isImageFormat(options.format) && { isCompared: true }),
    }),
  });
}

function virtualizedHelp({ format }: CaptureOptions): string {
  if (isImageFormat(format)) return "Set full_page_algorithm=by_sections.";
  return "Capture an image with full_page=true and full_page_algorithm=by_sections instead.";
}

export function* planHover({ hover: selector, error_on_hover_selector_not_found }: CaptureOptions): Steps {
  if (selector === undefined) return;
  yield hover({ selector, optional: error_on_hover_selector_not_found === false });
}

export function* planStillness({ deterministic }: CaptureOptions): Steps {
  if (deterministic) yield holdStill();
}
