// HORIZONTAL_OVERFLOW: content extends beyond the right edge of the window.
import { type ProblemRule, rectangle } from "../problem-rule.ts";

/** Less is a shadow, or a rounding. */
const MIN_PIXELS = 8;
const MAX_VIEWPORT = 4_000;

export const horizontalOverflow: ProblemRule = {
  code: "HORIZONTAL_OVERFLOW",
  isJudged: ({ kind, isWhole }) => kind !== "document" && kind !== "video" && isWhole,
  find({ observed: { overflow }, kind }) {
    if (overflow.pixels < MIN_PIXELS || overflow.selector === "") return undefined;
    const width = Math.ceil(overflow.width + overflow.pixels);
    const advice =
      kind === "pdf"
        ? "Use 'pdf_landscape', a larger paper, or a smaller 'pdf_scale'."
        : "A larger 'viewport_width' shows it without scrolling.";
    return {
      message: `'${overflow.selector}' extends ${Math.round(overflow.pixels)} pixels beyond the window of ${Math.round(overflow.width)} pixels. ${advice}`,
      evidence: { selector: overflow.selector, ...(overflow.area && { rectangle: rectangle(overflow.area) }) },
      fixes: width <= MAX_VIEWPORT ? [kind === "pdf" ? { pdf_landscape: true } : { viewport_width: width }] : [],
    };
  },
};
