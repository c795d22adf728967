// The files of the documentation: its pages, their Markdown, the index of the search, and the files for agents.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { openapiDocument } from "../../service/openapi/document.ts";
import type { BrowserAssets } from "../browser-assets.ts";
import { rawHtml } from "../html.ts";
import { IDENTITY_LINES } from "../identity-parts.ts";
import { layout } from "../layout.ts";
import { postmanCollection } from "../postman.ts";
import { BASE_URL, OPENAPI_PATH, type SiteFile, STATUS_PATH } from "../site-files.ts";
import { markdownPath } from "../site-paths.ts";
import { apiMarkdown } from "./api-markdown.ts";
import { apiArticle } from "./api-page.ts";
import { changelogFeed } from "./changelog-feed.ts";
import { CHANGELOG_FEED_PATH, changelogArticle } from "./changelog-page.ts";
import { type Article, docLayout } from "./doc-layout.ts";
import { bookOf, books, CHANGELOG_PATH, type DocPage, docPages, pathOfFile } from "./doc-pages.ts";
import { errorsArticle } from "./error-page.ts";
import { type OptionPictures, optionsArticle } from "./option-pages.ts";
import { type RenderedDocument, renderDocument, withBaseUrl } from "./render-markdown.ts";
import { searchDocuments } from "./search-index.ts";

const projectRoot = join(import.meta.dirname, "../../..");

interface Document {
  readonly page: DocPage;
  readonly markdown: string;
  readonly rendered: RenderedDocument;
  readonly article: Article;
}

export function docFiles(assets: BrowserAssets, pictures: OptionPictures): SiteFile[] {
  const documents = docPages.map((page) => readDocument(page, assets, pictures));
  return [
    ...documents.map(({ page, article }) => ({
      path: page.path,
      type: "text/html; charset=utf-8",
      text: layout(assets, docLayout(page, article)),
    })),
    ...documents.map(({ page, markdown }) => ({
      path: markdownPath(page.path),
      type: "text/markdown; charset=utf-8",
      text: markdown,
    })),
    { path: markdownPath("/"), type: "text/markdown; charset=utf-8", text: llmsText(documents) },
    { path: markdownPath("/pricing"), type: "text/markdown; charset=utf-8", text: pricingText(documents) },
    {
      path: CHANGELOG_FEED_PATH,
      type: "application/atom+xml; charset=utf-8",
      text: changelogFeed(readFileSync(join(projectRoot, "CHANGELOG.md"), "utf8")),
    },
    { path: "/docs/search.json", type: "application/json", text: JSON.stringify(searchDocuments(documents)) },
    { path: "/docs/postman.json", type: "application/json", text: JSON.stringify(postmanCollection(), undefined, 2) },
    { path: OPENAPI_PATH, type: "application/json", text: JSON.stringify(openapiDocument(BASE_URL), undefined, 2) },
    { path: "/llms.txt", type: "text/plain; charset=utf-8", text: llmsText(documents) },
    { path: "/llms-full.txt", type: "text/plain; charset=utf-8", text: llmsFullText(documents) },
    { path: "/sitemap.xml", type: "application/xml", text: sitemap() },
    { path: "/robots.txt", type: "text/plain; charset=utf-8", text: robots },
  ];
}

function readDocument(page: DocPage, assets: BrowserAssets, pictures: OptionPictures): Document {
  const source = page.file === undefined ? apiMarkdown() : readFileSync(join(projectRoot, page.file), "utf8");
  const file = page.file ?? "docs/reference/api.md";
  const isChangelog = page.path === CHANGELOG_PATH;
  const rendered = renderDocument(file, source, assets.pictures);
  const generated = generatedArticle(page, pictures);
  return {
    page,
    markdown: `${withBaseUrl(withSiteLinks(source, file))}`,
    rendered,
    article: {
      title: rendered.title,
      lead: rendered.lead,
      body: generated?.body ?? (isChangelog ? changelogArticle : rawHtml)(rendered.html),
      headings: generated?.headings ?? rendered.headings.filter(({ depth }) => !isChangelog || depth === 2),
    },
  };
}

/** Pages whose HTML says more than their Markdown. */
function generatedArticle({ path }: DocPage, pictures: OptionPictures): Pick<Article, "body" | "headings"> | undefined {
  if (path === "/docs/reference/options") return optionsArticle(pictures);
  if (path === "/docs/errors") return errorsArticle();
  return path === "/docs/reference/api" ? apiArticle() : undefined;
}

/** Links between Markdown files become addresses of the Markdown of those pages. */
function withSiteLinks(markdown: string, file: string): string {
  return markdown.replaceAll(/\]\(([^()[\]\s]+)\)/g, (link, target: string) => {
    if (/^(\w+:|#)/.test(target)) return link;
    const [name = "", anchor] = target.split("#");
    const path = pathOfFile(normalize(join(dirname(file), name)));
    if (path === undefined) return "]";
    const address = path === "/" || path.endsWith(".json") ? path : markdownPath(path);
    return `](${BASE_URL}${address}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

function llmsText(documents: readonly Document[]): string {
  const sections = books.flatMap((book) =>
    book.sections.map(({ title, pages }) => {
      const links = pages.map((page) => pageLine(page, documents.find((each) => each.page === page)?.rendered));
      return `## ${book.name === "operate" ? `${book.label}: ` : ""}${title}\n\n${links.join("\n")}`;
    }),
  );
  return `# Screen Capture API

> Renders a URL, HTML, or Markdown in headless Chromium and returns an image, PDF, video, or text.

Base URL: ${BASE_URL}. Authenticate with the header \`Authorization: Bearer <API key>\`. The main route is
\`GET|POST /api/v1/screenshot\`. Machine-readable: [OpenAPI 3.1](${BASE_URL}/openapi.json). All pages in one file:
[llms-full.txt](${BASE_URL}/llms-full.txt). State of the service, and incidents: [status.json](${BASE_URL}/status.json).${IDENTITY_LINES}

${sections.join("\n\n")}
`;
}

/** A page with what it says first and the titles of its parts, from which an agent chooses what to read. */
function pageLine(page: DocPage, rendered: RenderedDocument | undefined): string {
  const [lead] = (rendered?.lead ?? "").split(/(?<=[.:])\s/);
  const parts = (rendered?.headings ?? []).map(({ text }) => text);
  const list = parts.length > 0 && parts.length <= MAX_LISTED_PARTS ? ` Parts: ${parts.join(", ")}.` : "";
  return `- [${page.label}](${BASE_URL}${markdownPath(page.path)}): ${lead}${list}`;
}

/** A page with more parts, such as the changelog, is a list of things that its title names. */
const MAX_LISTED_PARTS = 20;

/** The pricing page for agents: the plans, as the documentation has them. */
function pricingText(documents: readonly Document[]): string {
  const plans = documents.find(({ page }) => page.path === "/docs/reference/plans")?.markdown ?? "";
  return plans.replace(/^# .*/, "# Pricing");
}

/** The book for callers, without the history of its versions. */
function llmsFullText(documents: readonly Document[]): string {
  return documents
    .filter(({ page }) => bookOf(page).name === "use" && page.path !== CHANGELOG_PATH)
    .map(({ page, markdown }) => `<!-- ${BASE_URL}${page.path} -->\n\n${markdown.trim()}\n`)
    .join("\n---\n\n");
}

function sitemap(): string {
  const paths = ["/", "/playground", "/pricing", STATUS_PATH, ...docPages.map(({ path }) => path)];
  const urls = paths.map((path) => `<url><loc>${BASE_URL}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
}

const robots = `User-agent: *
Disallow: /api/
Disallow: /storage/

Sitemap: ${BASE_URL}/sitemap.xml
`;
