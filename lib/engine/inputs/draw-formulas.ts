// Draws formulas with KaTeX, as HTML that is laid out without scripts. Imported for documents that have formulas.
import katex from "katex";
import { quote, truncateReport } from "../errors/target-report.ts";
import type { MarkdownFormula } from "./formulas.ts";
import { katexStyle } from "./katex-style.ts";
import { MarkdownTooComplexError } from "./markdown-error.ts";

/** A formula becomes about fifty times as long. */
const MAX_DRAWN_CHARACTERS = 10_000_000;

const MAX_WARNINGS = 3;

/** Macros of the author end after so many expansions, and sizes are not larger than so many em. */
const LIMITS = { maxExpand: 1_000, maxSize: 50 };

/** KaTeX's style sheet, with its fonts. A capture cannot be scrolled, so that long formulas wrap. */
export async function formulaStyle(): Promise<string> {
  return `${await katexStyle()}
.katex-display { margin: 1.25rem 0; overflow-wrap: normal; }
.katex-display > .katex { white-space: normal; }
`;
}

/**
 * Replaces the source of each formula. One that is no valid TeX stays source, with a warning. Throws `MarkdownTooComplexError`
 * when they become too long.
 */
export function drawFormulas(formulas: readonly MarkdownFormula[]): string[] {
  const failures: string[] = [];
  let characters = 0;
  for (const { element, tex, isDisplayed } of formulas) {
    const isBlock = element.tagName === "pre";
    try {
      const value = katex.renderToString(tex, { displayMode: isDisplayed, strict: "ignore", trust: false, ...LIMITS });
      characters += value.length;
      element.tagName = isBlock ? "div" : "span";
      element.properties = { className: ["formula"] };
      element.children = [{ type: "raw", value }];
    } catch (error) {
      failures.push(`The formula ${quote(tex)} isn't valid TeX, and its source is shown: ${describeError(error)}`);
      if (!isBlock) element.children = [{ type: "text", value: isDisplayed ? `$$${tex}$$` : `$${tex}$` }];
    }
    if (characters > MAX_DRAWN_CHARACTERS) {
      throw new MarkdownTooComplexError("The Markdown has too many formulas, or too long ones. Split it.");
    }
  }
  const others = failures.length - MAX_WARNINGS;
  return others > 0 ? [...failures.slice(0, MAX_WARNINGS), `${others} more formulas aren't valid TeX.`] : failures;
}

/** What KaTeX says, or that a formula is nested too deeply for the call stack. */
function describeError(error: unknown): string {
  if (error instanceof katex.ParseError)
    return truncateReport(error.message.replace(/^KaTeX parse error: /, "").replace(/\s+/g, " "));
  return "It is nested too deeply.";
}
