// The error of Markdown that cannot be rendered.

/** The Markdown is too long, too deeply nested or too slow to render: an error of the caller. */
export class MarkdownTooComplexError extends Error {
  override name = "MarkdownTooComplexError";
}
