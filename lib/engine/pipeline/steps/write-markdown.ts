// Renders the caller's Markdown to HTML and writes it into the page.
import { ApiError } from "../../../contract/errors/api-error.ts";
import { renderMarkdown } from "../../inputs/markdown.ts";
import { MarkdownTooComplexError } from "../../inputs/markdown-error.ts";
import type { MarkdownTheme } from "../../inputs/markdown-style.ts";
import { showHtml } from "../../inputs/show-html.ts";
import { hardAllowance } from "../../timing/budget.ts";
import { type NavigateStep, navigateStep, type StepFactory } from "../step.ts";

const MAX_RENDERING_MS = 10_000;

interface WriteMarkdown {
  readonly markdown: string;
  readonly theme: MarkdownTheme;
  readonly css: string;
  /** False to keep the source of formulas. */
  readonly drawsFormulas: boolean;
  readonly baseUrl?: string;
}

export const writeMarkdown: StepFactory<NavigateStep, WriteMarkdown> = navigateStep({
  name: "write-markdown",
  run: async (page, { markdown, baseUrl, ...settings }) => {
    const timeoutMs = hardAllowance(page.budget, page.now(), MAX_RENDERING_MS);
    const { html, warnings } = await renderMarkdown(markdown, { timeoutMs, ...settings }).catch((error) => {
      if (!(error instanceof MarkdownTooComplexError)) throw error;
      throw new ApiError("VALIDATION_ERROR", error.message, { details: { markdown: [error.message] }, cause: error });
    });
    page.warnings.push(...warnings);
    await showHtml(page, html, baseUrl);
  },
});
