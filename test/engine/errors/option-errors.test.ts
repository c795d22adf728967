// Errors of options that do not fit the page, as a caller reads them.
import { describe, expect, test } from "vitest";
import {
  contentRuleFailed,
  expressionTimeout,
  invalidExpression,
  invalidSelector,
  scriptFailed,
  selectorNotFound,
  styleFailed,
} from "../../../lib/engine/errors/option-errors.ts";

describe("SELECTOR_NOT_FOUND:", () => {
  test.each([
    [
      ["#x"],
      false,
      "No element matched the selector '#x' of 'selector'. Check it against the page.",
      ["no element matched '#x' within 1.5 s"],
    ],
    [
      ["#x"],
      true,
      "Only hidden elements matched the selector '#x' of 'selector'. Check it against the page.",
      ["only hidden elements matched '#x' within 1.5 s"],
    ],
    [
      ["#x", ".y"],
      false,
      "No element matched the selector '#x' or '.y' of 'selector'. Check it against the page.",
      ["no element matched '#x' within 1.5 s", "no element matched '.y' within 1.5 s"],
    ],
  ])("%j: says whether hidden elements matched: %s", (selectors, hidden, message, details) => {
    expect(selectorNotFound("selector", selectors, { waitedMs: 1_500, hidden, isFullWait: false })).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message,
      details: { selector: details },
    });
  });

  test("truncates long selectors and reports them under their option", () => {
    const { message, details } = selectorNotFound("click", ["a".repeat(2_000)], {
      waitedMs: 10_000,
      hidden: false,
      isFullWait: true,
    });
    expect(message).toContain(`'${"a".repeat(197)}...' of 'click'`);
    expect(details?.["click"]).toEqual([`no element matched '${"a".repeat(197)}...' within 10 s`]);
  });
});

describe("errors of options that do not fit the page:", () => {
  test.each([
    [
      invalidSelector("hover", "a["),
      "VALIDATION_ERROR",
      "Option 'hover' is not a valid CSS selector: 'a['.",
      { hover: ["is not a valid CSS selector: 'a['"] },
    ],
    [
      scriptFailed(1, "a is not defined"),
      "SCRIPT_FAILED",
      "The script at position 2 of 'scripts' failed: a is not defined.",
      { scripts: ["script 2: a is not defined"] },
    ],
    [
      styleFailed("https://example.com/a.css"),
      "STYLE_FAILED",
      "The style sheet https://example.com/a.css of 'styles' could not be loaded. Check its URL.",
      { styles: ["could not load https://example.com/a.css"] },
    ],
    [
      expressionTimeout(3_000),
      "EXPRESSION_FAILED",
      "Timed out after 3 s waiting for 'wait_for_expression' to become true.",
      { wait_for_expression: ["did not become true within 3 s"] },
    ],
    [
      expressionTimeout(1_500, "TypeError: a is null"),
      "EXPRESSION_FAILED",
      "Timed out after 1.5 s waiting for 'wait_for_expression' to become true; it threw TypeError: a is null.",
      { wait_for_expression: ["threw TypeError: a is null within 1.5 s"] },
    ],
    [
      invalidExpression("SyntaxError: Unexpected end of input"),
      "EXPRESSION_FAILED",
      "'wait_for_expression' is not valid JavaScript: SyntaxError: Unexpected end of input.",
      { wait_for_expression: ["is not valid JavaScript: SyntaxError: Unexpected end of input"] },
    ],
    [
      contentRuleFailed("fail_if_content_contains", "the page contains 'Error'"),
      "CONTENT_RULE_FAILED",
      "The rule 'fail_if_content_contains' matched: the page contains 'Error'.",
      { fail_if_content_contains: ["the page contains 'Error'"] },
    ],
  ])("%s", (error, code, message, details) => {
    expect(error).toMatchObject({ code, message, details });
  });
});
