// Plans what the caller does to the page and waits for, until it is ready to be captured.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { formatKind, isImageFormat } from "../../../contract/options/formats.ts";
import { quote } from "../../errors/target-report.ts";
import { finishAnimations } from "../../page/animations.ts";
import { waitForElements } from "../../page/elements.ts";
import { type LoadCondition, waitForLoad } from "../../page/load-conditions.ts";
import { passTime, startVirtualTime } from "../../rendering/page-time.ts";
import { type ReadyStep, readyStep } from "../step.ts";
import { addStyles } from "../steps/add-styles.ts";
import { click } from "../steps/click.ts";
import { hideElementsStep } from "../steps/hide-elements.ts";
import { holdStillStep } from "../steps/hold-still.ts";
import { hover } from "../steps/hover.ts";
import { runScripts } from "../steps/run-scripts.ts";
import { scrollPage } from "../steps/scroll-page.ts";
import { visitPage } from "../steps/visit-page.ts";
import { waitForExpression } from "../steps/wait-for-expression.ts";
import { waitForHidden } from "../steps/wait-for-hidden.ts";

type Steps = Generator<ReadyStep>;

/** The page has loaded, as `wait_until` defines it. */
export function* planLoad({ wait_until: conditions }: EngineOptions): Steps {
  yield waitForLoadStep({ option: "wait_until", conditions });
}

/** A click comes before the waits, which are for what it brings about. */
export function* planInteraction(options: EngineOptions): Steps {
  if (options.styles) yield addStyles({ styles: options.styles });
  if (options.hide_selectors) yield hideElementsStep({ selectors: options.hide_selectors });
  if (options.scripts) yield runScripts({ scripts: options.scripts });
  const { scripts_wait_until: conditions } = options;
  if (conditions) yield waitForLoadStep({ option: "scripts_wait_until", conditions });
  for (const selector of options.click ?? []) {
    yield click({ selector, optional: options.error_on_click_selector_not_found === false });
  }
}

export function* planWaits(options: EngineOptions): Steps {
  const { wait_for_selector: selectors, wait_for_selector_hidden: hidden, wait_for_expression: expression } = options;
  const enough = options.wait_for_selector_algorithm === "at_least_by_count" ? "all" : "any";
  if (selectors) yield waitForSelector({ selectors, enough });
  if (hidden !== undefined) yield waitForHidden({ selector: hidden });
  if (expression !== undefined) yield waitForExpression({ expression });
  if (options.delay > 0) yield delay({ seconds: options.delay });
}

/** True for an image of the whole page that is stitched from its windows. One that ends with the window has only one. */
export function isStitched({ format, full_page, full_page_scroll, capture_beyond_viewport }: EngineOptions): boolean {
  return isImageFormat(format) && full_page && full_page_scroll !== false && capture_beyond_viewport !== false;
}

/** True for a capture whose page is scrolled through: content that loads lazily must have been in view once, in a PDF as well. */
function isScrolledThrough({ format, full_page, full_page_scroll }: EngineOptions): boolean {
  return (formatKind(format) === "pdf" || full_page) && full_page_scroll !== false;
}

/** With exact time, the page stands still before it is scrolled, as one that is not scrolled does when it is captured. */
export function* planScrolling(options: EngineOptions): Steps {
  if (!isScrolledThrough(options) || isStitched(options)) return;
  yield* planStillness(options);
  if (options.deterministic && options.disable_animations) yield settleAnimations();
  yield scrollPage({
    maxHeight: options.full_page_max_height,
    findsPanes: options.full_page_expand_overflow !== false,
    by: options.full_page_scroll_by,
    delayMs: options.full_page_scroll_delay,
    finishesAnimations: options.disable_animations,
    isPrinted: formatKind(options.format) === "pdf",
  });
}

/** The mouse pointer rests on its element in each window, so that the visit comes last. With exact time, the page stands still before. */
export function* planVisit(options: EngineOptions): Steps {
  if (!isStitched(options)) return;
  if (options.deterministic && options.disable_animations) yield settleAnimations();
  yield visitPage({
    isAlwaysVisited: options.full_page_algorithm === "by_sections",
    maxHeight: options.full_page_max_height,
    findsPanes: options.full_page_expand_overflow !== false,
    hidesPinned: options.full_page_freeze_fixed !== false,
    scenes: options.full_page_pinned,
    by: options.full_page_scroll_by,
    delayMs: options.full_page_scroll_delay,
    finishesAnimations: options.disable_animations,
    isTransparent: options.omit_background,
  });
}

export function* planHover({ hover: selector, error_on_hover_selector_not_found }: EngineOptions): Steps {
  if (selector === undefined) return;
  yield hover({ selector, optional: error_on_hover_selector_not_found === false });
}

export function* planStillness({ deterministic }: EngineOptions): Steps {
  if (deterministic) yield holdStillStep();
}

/** Finishes the animations of a page that is not scrolled yet; those that the scroll position drives go on. */
const settleAnimations = readyStep({
  name: "settle-animations",
  awaits: () => "animations to end",
  run: (page) => finishAnimations(page, false),
});

interface WaitForLoad {
  readonly option: "wait_until" | "scripts_wait_until";
  readonly conditions: readonly LoadCondition[];
}

/** Waits until the page has loaded, as the option defines it. */
const waitForLoadStep = readyStep<WaitForLoad>({
  name: "wait-for-load",
  awaits: ({ conditions }) => `the page to load (${conditions.join(", ")})`,
  advises: ({ option, conditions }) =>
    conditions.every((condition) => condition === "domcontentloaded") ? undefined : `wait for less with ${option}`,
  run: (page, { conditions }) => waitForLoad(page, conditions),
});

/** Waits for the time that the caller requested. */
const delay = readyStep<{ readonly seconds: number }>({
  name: "delay",
  awaits: () => "the delay to pass",
  run: async (page, { seconds }) => {
    await startVirtualTime(page);
    await passTime(page, seconds * 1000);
  },
});

interface WaitForSelector {
  readonly selectors: readonly string[];
  readonly enough: "any" | "all";
}

/** Waits for elements to appear. */
const waitForSelector = readyStep<WaitForSelector>({
  name: "wait-for-selector",
  awaits: ({ selectors, enough }) => {
    const names = selectors.map((selector) => quote(selector));
    return `${names.join(enough === "any" ? " or " : " and ")} to appear`;
  },
  advises: () => "check wait_for_selector",
  run: async (page, { selectors, enough }) => {
    await waitForElements(page, { option: "wait_for_selector", selectors, enough, patient: true });
  },
});
