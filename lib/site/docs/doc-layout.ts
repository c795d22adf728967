// The layout of a page of the documentation: navigation, article, table of contents, and links to the neighbours.
import { type Html, html, rawHtml } from "../html.ts";
import type { PageContent } from "../layout.ts";
import { BASE_PATH } from "../site-files.ts";
import { markdownPath } from "../site-paths.ts";
import { CHANGELOG_FEED_PATH } from "./changelog-page.ts";
import { bookOf, books, CHANGELOG_PATH, type DocPage, sectionTitle } from "./doc-pages.ts";
import type { MarkdownHeading } from "./render-markdown.ts";

export interface Article {
  readonly title: string;
  readonly lead: string;
  readonly body: Html;
  readonly headings: readonly MarkdownHeading[];
}

export function docLayout(page: DocPage, { title, lead, body, headings }: Article): PageContent {
  const toc = tableOfContents(headings);
  return {
    path: page.path,
    title,
    description: lead.length > 180 ? `${lead.slice(0, 177)}…` : lead,
    kind: "docs",
    markdown: markdownPath(page.path),
    ...(page.path === CHANGELOG_PATH && { feed: CHANGELOG_FEED_PATH }),
    main: html`<div class="docs-grid">
<details class="docs-side"><summary>All pages</summary>${navigation(page)}</details>
<article>
<div class="page-head"><p class="eyebrow">${sectionTitle(page)}</p>
<p class="page-tools"><a href="${BASE_PATH}${markdownPath(page.path)}" data-markdown>Markdown</a></p></div>
<h1>${title}</h1>
${toc && html`<details class="docs-toc-menu"><summary>On this page</summary><nav aria-label="On this page, on small screens">${toc}</nav></details>`}
${body}
${neighbours(page)}
</article>
<div class="docs-toc">${toc && html`<nav aria-label="On this page"><p>On this page</p>${toc}</nav>`}</div>
</div>`,
  };
}

/** The pages of the book of the current one, and a link to the other book. The style sheet shows them on wide screens, closed or not. */
function navigation(current: DocPage): Html {
  const { name, sections } = bookOf(current);
  return html`<nav aria-label="Documentation">${sections.map(
    ({ title, pages }) =>
      html`<p>${title}</p><ul>${pages.map(
        (page) =>
          html`<li><a href="${BASE_PATH}${page.path}"${page === current && rawHtml(' aria-current="page"')}>${page.label}</a></li>`,
      )}</ul>`,
  )}${books
    .filter((book) => book.name !== name)
    .map(
      (book) =>
        html`<p>Another book</p><ul><li><a href="${BASE_PATH}${book.sections[0]?.pages[0]?.path}">${book.label}</a></li></ul>`,
    )}</nav>`;
}

/** Longer ones show the sections only. */
const MAX_TOC_LINKS = 40;

function tableOfContents(headings: readonly MarkdownHeading[]): Html | undefined {
  const shown = headings.length > MAX_TOC_LINKS ? headings.filter(({ depth }) => depth === 2) : headings;
  if (shown.length < 2) return undefined;
  return html`<ul>${shown.map(
    ({ id, text, depth }) =>
      html`<li${depth === 3 && rawHtml(' class="inner"')}><a href="#${id}">${breakableName(text)}</a></li>`,
  )}</ul>`;
}

/** Names such as `RANGE_NOT_SATISFIABLE` break after an underscore. */
function breakableName(text: string): Html[] {
  return text.split(/(?<=_)/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`);
}

function neighbours(page: DocPage): Html {
  const { pages } = bookOf(page);
  const index = pages.indexOf(page);
  const link = (other: DocPage | undefined, rel: string, label: string) =>
    other && html`<a rel="${rel}" href="${BASE_PATH}${other.path}"><span>${label}</span>${other.label}</a>`;
  return html`<nav class="neighbours" aria-label="Neighbouring pages">${link(pages[index - 1], "prev", "Previous")}${link(pages[index + 1], "next", "Next")}</nav>`;
}
