// The layout of every page of the website: head, header with navigation, content, footer.
import type { BrowserAssets } from "./browser-assets.ts";
import { type Html, html } from "./html.ts";
import { BASE_PATH, BASE_URL } from "./site-files.ts";

export interface PageContent {
  /** Below the base URL, such as `/docs/guide/pdf`. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for search engines and previews. */
  readonly description: string;
  /** Content of the element `main`. */
  readonly main: Html;
  /** Names of assets that this page loads in place of those of every page. */
  readonly script?: string;
  readonly stylesheet?: string;
  /** Path of a Markdown version. */
  readonly markdown?: string;
  /** Classes of the element `body`. */
  readonly kind: "landing" | "docs" | "playground" | "app" | "message";
}

const SITE_NAME = "Screen Capture API";

/** The links of the header: label and path. */
const navigation = [
  ["Docs", "/docs"],
  ["Options", "/docs/reference/options"],
  ["Playground", "/playground"],
  ["Compare", "/docs/compare"],
  ["Dashboard", "/app"],
] as const;

/** The address of an asset in a page. */
export const assetUrl = (name: string): string => `${BASE_PATH}/assets/${name}`;

/** The complete document of a page. */
export function layout(assets: BrowserAssets, page: PageContent): string {
  const { path, title, description, main, markdown, kind } = page;
  const { script = assets.script, stylesheet = assets.stylesheet } = page;
  const fullTitle = path === "/" ? `${SITE_NAME} – ${title}` : `${title} – ${SITE_NAME}`;
  return html`<!doctype html>
<html lang="en" data-base-path="${BASE_PATH}" data-base-url="${BASE_URL}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fullTitle}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(iconSvg)}">
<link rel="canonical" href="${BASE_URL}${path === "/" ? "/" : path}">
${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${BASE_PATH}${markdown}">`}
<link rel="service-desc" type="application/json" href="${BASE_PATH}/openapi.json">
${!isApp(kind) && html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(assets.font)}">`}
<link rel="stylesheet" href="${assetUrl(stylesheet)}">
<script type="module" src="${assetUrl(script)}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
${header(path)}
<main id="content" tabindex="-1">
${main}
</main>
${!isApp(kind) && footer}
</body>
</html>
`.text;
}

/** Pages that fill the window, with styles of their own. */
function isApp(kind: PageContent["kind"]): boolean {
  return kind === "playground" || kind === "app";
}

/** A viewfinder: four corners around a dot. */
const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#191815"/>' +
  '<path d="M8 13V8h5M19 8h5v5M24 19v5h-5M13 24H8v-5" fill="none" stroke="#fbfaf7" stroke-width="2.5"/>' +
  '<circle cx="16" cy="16" r="3.2" fill="#ff6a45"/></svg>';

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M3 8.5V3h5.5M15.5 3H21v5.5M21 15.5V21h-5.5M8.5 21H3v-5.5"/><circle cx="12" cy="12" r="3.4"/></svg>`;

function header(current: string): Html {
  return html`<header class="site-header">
<a class="brand" href="${BASE_PATH}/">${mark}<span>Screen Capture API</span></a>
<nav aria-label="Site">
${navigation.map(
  ([label, path]) =>
    html`<a href="${BASE_PATH}${path}"${isCurrent(path, current) && html` aria-current="${path === current ? "page" : "true"}"`}>${label}</a>`,
)}
</nav>
<button class="search-button" type="button" data-search><span>Search</span><kbd>/</kbd></button>
</header>`;
}

/** The most specific link of the navigation is the current one. */
function isCurrent(path: string, current: string): boolean {
  const matches = navigation
    .map(([, each]) => each)
    .filter((each) => current === each || current.startsWith(`${each}/`))
    .toSorted((one, other) => other.length - one.length);
  return matches[0] === path;
}

const footer = html`<footer class="site-footer">
<p class="brand">${mark}<span>Screen Capture API</span></p>
<nav aria-label="Footer">
<a href="${BASE_PATH}/docs">Documentation</a>
<a href="${BASE_PATH}/docs/reference/api">API reference</a>
<a href="${BASE_PATH}/docs/errors">Errors</a>
<a href="${BASE_PATH}/docs/changelog">Changelog</a>
<a href="${BASE_PATH}/openapi.json">OpenAPI</a>
<a href="${BASE_PATH}/llms.txt">llms.txt</a>
</nav>
<p class="fine">MIT licensed. Runs in your own AWS account.</p>
</footer>`;
