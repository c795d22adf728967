// The page of error codes: each with its status, its cause, and its fix, under the anchor that error answers link to.
import { errorFixes } from "../../contract/errors/error-fixes.ts";
import { type ErrorCode, type ErrorKind, errorKinds } from "../../contract/errors/error-kinds.ts";
import { type Html, html, rawHtml } from "../html.ts";
import { BASE_PATH } from "../site-files.ts";
import { type MarkdownHeading, renderInline } from "./render-markdown.ts";

export function errorsArticle(): { body: Html; headings: readonly MarkdownHeading[] } {
  const kinds = Object.entries(errorKinds as Readonly<Record<string, ErrorKind>>).toSorted(
    ([, one], [, other]) => one.status - other.status,
  );
  const inline = (markdown: string) => rawHtml(renderInline(markdown, "docs/reference/errors.md"));
  return {
    headings: kinds.map(([code]) => ({ depth: 2, id: code, text: code })),
    body: html`<p>Every error answer names one of these codes, which never change, and links here with its field
<code>docs</code>. No error is billed. The guide <a href="${BASE_PATH}/docs/guide/errors">Errors</a> describes the JSON.</p>
${kinds.map(
  ([code, { status, meaning, retryable }]) => html`<section class="error-code" id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <span class="status">${status}</span></h2>
<p>${inline(meaning)}</p>
<p class="fix"><strong>Fix</strong> ${inline(errorFixes[code as ErrorCode])}</p>
<p class="retry">${retryText(retryable)}</p>
</section>`,
)}`,
  };
}

function retryText(retryable: ErrorKind["retryable"]): string {
  if (typeof retryable === "object") return `The same request can succeed later ${retryable.when}.`;
  return retryable ? "The same request can succeed later." : "The same request fails again.";
}
