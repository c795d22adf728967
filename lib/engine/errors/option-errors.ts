// Errors of options that do not fit the page: selectors without a match, scripts that throw, styles that do not load.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { Problem } from "../../contract/problems/problem.ts";
import { truncateReport, withoutCredentials } from "./target-report.ts";

/** `SELECTOR_NOT_FOUND` after a wait that the time budget did not shorten: with more time, the capture fails in the same way. */
export class ElementAbsentError extends ApiError {}

interface FailedSearch {
  /** Length of the wait in milliseconds. */
  readonly waitedMs: number;
  /** True when only hidden elements matched. */
  readonly hidden: boolean;
  /** True when the time budget did not shorten the wait. */
  readonly isFullWait: boolean;
}

/** The error of selectors of `option` without a visible match: an `ElementAbsentError` after a full wait. */
export function selectorNotFound(
  option: string,
  missing: readonly string[],
  { waitedMs, hidden, isFullWait }: FailedSearch,
): ApiError {
  const found = hidden ? "only hidden elements matched" : "no element matched";
  const names = missing.map((selector) => `'${truncateReport(selector)}'`);
  const SelectorError = isFullWait ? ElementAbsentError : ApiError;
  return new SelectorError(
    "SELECTOR_NOT_FOUND",
    `${capitalize(found)} the selector ${names.join(" or ")} of '${option}'. Check it against the page.`,
    { details: { [option]: names.map((name) => `${found} ${name} within ${seconds(waitedMs)} s`) } },
  );
}

/** The error of a clip rectangle outside the page. */
export function clipOutsidePage(
  area: { readonly x: number; readonly y: number },
  page: { readonly width: number; readonly height: number },
): ApiError {
  const details = {
    ...(area.x >= page.width && { clip_x: [`must be less than the page's width of ${page.width} pixels`] }),
    ...(area.y >= page.height && { clip_y: [`must be less than the page's height of ${page.height} pixels`] }),
  };
  return new ApiError(
    "SELECTOR_NOT_FOUND",
    `The clip rectangle is outside the page, which is ${page.width} × ${page.height} CSS pixels. Lower ${Object.keys(details).join(" and ")}.`,
    { details },
  );
}

/** The error of an element at a place that the page cannot be scrolled to; `where` is relative to the page, such as "above". */
export function elementOutsidePage(option: string, selector: string, where: string): ApiError {
  const problem = `the element that matches '${truncateReport(selector)}' is entirely ${where} the page`;
  const message =
    `${capitalize(problem)}, where nothing can be captured ('${option}'). ` +
    "Move it into the page with 'styles', open it with 'click', or select another element.";
  return new ApiError("SELECTOR_NOT_FOUND", message, { details: { [option]: [problem] } });
}

/** The error of a selector that is not valid CSS. */
export function invalidSelector(option: string, selector: string): ApiError {
  const message = `Option '${option}' is not a valid CSS selector: '${truncateReport(selector)}'.`;
  return new ApiError("VALIDATION_ERROR", message, {
    details: { [option]: [`is not a valid CSS selector: '${truncateReport(selector)}'`] },
  });
}

/** The error of the caller's script at `index`. */
export function scriptFailed(index: number, why: string): ApiError {
  const message = `The script at position ${index + 1} of 'scripts' failed: ${why}.`;
  return new ApiError("SCRIPT_FAILED", message, { details: { scripts: [`script ${index + 1}: ${why}`] } });
}

/** The error of a style sheet of the caller that did not load. */
export function styleFailed(href: string): ApiError {
  const url = withoutCredentials(href);
  const message = `The style sheet ${truncateReport(url)} of 'styles' could not be loaded. Check its URL.`;
  return new ApiError("STYLE_FAILED", message, { details: { styles: [`could not load ${truncateReport(url)}`] } });
}

/** The error of `wait_for_expression` that did not become true in time; `thrown` is what its last evaluation threw. */
export function expressionTimeout(waitedMs: number, thrown?: string): ApiError {
  const wait = `Timed out after ${seconds(waitedMs)} s waiting for 'wait_for_expression' to become true`;
  const why = thrown === undefined ? "did not become true" : `threw ${thrown}`;
  return new ApiError("EXPRESSION_FAILED", thrown === undefined ? `${wait}.` : `${wait}; it threw ${thrown}.`, {
    details: { wait_for_expression: [`${why} within ${seconds(waitedMs)} s`] },
  });
}

/** The error of a `wait_for_expression` that is not JavaScript. */
export function invalidExpression(problem: string): ApiError {
  return new ApiError("EXPRESSION_FAILED", `'wait_for_expression' is not valid JavaScript: ${problem}.`, {
    details: { wait_for_expression: [`is not valid JavaScript: ${problem}`] },
  });
}

/** The error of a `fail_if_…` rule that matched. */
export function contentRuleFailed(option: string, why: string): ApiError {
  const short = truncateReport(why);
  return new ApiError("CONTENT_RULE_FAILED", `The rule '${option}' matched: ${short}.`, {
    details: { [option]: [short] },
  });
}

/** The error of a capture with a problem of `fail_if_problem`, or of less quality than `min_quality`. */
export function problemRuleFailed(
  rule: { readonly option: "fail_if_problem" | "min_quality"; readonly why: string },
  { problems, quality }: { readonly problems: readonly Problem[]; readonly quality: number },
): ApiError {
  const [worst] = problems;
  const fixes = Object.entries(Object.assign({}, ...problems.map(({ fix }) => fix)) as object);
  const advice =
    fixes.length > 0
      ? ` Options that may help: ${fixes.map(([name, value]) => `${name}=${truncateReport(String(value))}`).join(", ")}.`
      : "";
  return new ApiError("CONTENT_RULE_FAILED", `${rule.why} ${worst?.message ?? ""}${advice}`.trim(), {
    details: { [rule.option]: problems.map(({ code, message }) => `${code}: ${message}`) },
    figures: { quality },
    problems,
  });
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(1));
}
