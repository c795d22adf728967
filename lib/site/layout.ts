// The layout of every page of the website: head, header with navigation, content, footer.
import { iconSvg, SITE_NAME } from "./brand.ts";
import type { BrowserAssets } from "./browser-assets.ts";
import { type Html, html, rawHtml } from "./html.ts";
import { identityFooter, identityLinks, supportValue } from "./identity-parts.ts";
import { BASE_PATH, BASE_URL, DASHBOARD_PATH, OPERATOR_PATH, SIGN_IN_PATH, STATUS_PATH } from "./site-files.ts";

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
  readonly preload?: readonly string[];
  /** Path of a Markdown version. */
  readonly markdown?: string;
  /** Path of an Atom feed. */
  readonly feed?: string;
  /** True for a page whose header has the links of a customer, until its script knows. */
  readonly isForCustomers?: boolean;
  /** A style sheet and a script in the page itself, which then needs no other file. The style sheet is in place of that of every page. */
  readonly inline?: { readonly style: Html; readonly script: Html };
  /** Classes of the element `body`. */
  readonly kind: "landing" | "docs" | "playground" | "app" | "operator" | "message" | "status";
}

/** The links of the header: label and path. */
const navigation = [
  ["Docs", "/docs"],
  ["Playground", "/playground"],
  ["Pricing", "/pricing"],
] as const;

/** The address of an asset in a page. */
export const assetUrl = (name: string): string => `${BASE_PATH}/assets/${name}`;

/** The complete document of a page. */
export function layout(assets: BrowserAssets, page: PageContent): string {
  const { path, title, description, main, markdown, feed, inline, kind } = page;
  const { script = assets.script, stylesheet = assets.stylesheet, preload = [] } = page;
  const fullTitle = path === "/" ? `${SITE_NAME} – ${title}` : `${title} – ${SITE_NAME}`;
  return html`<!doctype html>
<html lang="en" data-base-path="${BASE_PATH}" data-base-url="${BASE_URL}" data-support="${supportValue}"${page.isForCustomers === true && rawHtml(" data-signed-in")}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fullTitle}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
${kind === "operator" ? html`<meta name="robots" content="noindex">` : linkPreview(assets, page)}
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(iconSvg)}">
${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${BASE_PATH}${markdown}">`}
${feed !== undefined && html`<link rel="alternate" type="application/atom+xml" href="${BASE_PATH}${feed}">`}
<link rel="service-desc" type="application/json" href="${BASE_PATH}/openapi.json">
<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(assets.font)}">
${inline ? html`<style>${inline.style}</style>` : html`<link rel="stylesheet" href="${assetUrl(stylesheet)}">`}
${preload.map((name) => html`<link rel="modulepreload" href="${assetUrl(name)}">`)}
<script type="module" src="${assetUrl(script)}"></script>
</head>
<body class="${kind === "operator" ? "app operator" : kind}">
<a class="skip" href="#content">Skip to content</a>
${kind === "operator" ? operatorHeader : header(path)}
<main id="content" tabindex="-1">
${main}
</main>
${isApp(kind) ? kind !== "operator" && identityFooter : footer}
${inline && html`<script type="module">${inline.script}</script>`}
</body>
</html>
`.text;
}

/** What search engines and social networks read. */
function linkPreview({ socialPicture }: BrowserAssets, { path, title, description }: PageContent): Html {
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${SITE_NAME}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${BASE_URL}${path}">
<meta property="og:image" content="${BASE_URL}/assets/${socialPicture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${SITE_NAME}: any page as an image, a PDF, a video, or text">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${BASE_URL}${path}">`;
}

/** Pages that fill the window, with styles of their own. */
function isApp(kind: PageContent["kind"]): boolean {
  return kind === "playground" || kind === "app" || kind === "operator";
}

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M3 8.5V3h5.5M15.5 3H21v5.5M21 15.5V21h-5.5M8.5 21H3v-5.5"/><circle cx="12" cy="12" r="3.4"/></svg>`;

/** The links to a session depend on whether this browser has one: the script of the page marks the document. */
function header(current: string): Html {
  const keyButton = current === "/" ? "button" : "button button-primary"; // the landing page has an action of its own
  return html`<header class="site-header"><div>
<a class="brand" href="${BASE_PATH}/">${mark}<span>${SITE_NAME}</span></a>
<nav id="site-menu" popover aria-label="Site">
${navigation.map(
  ([label, path]) =>
    html`<a href="${BASE_PATH}${path}"${isCurrent(path, current) && html` aria-current="${path === current ? "page" : "true"}"`}>${label}</a>`,
)}
<span class="by-session"><a data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}">Sign in</a><a data-signed-in href="${BASE_PATH}${DASHBOARD_PATH}"${isCurrent(DASHBOARD_PATH, current) && rawHtml(' aria-current="true"')}>Dashboard</a></span>
</nav>
<button class="search-button" type="button" data-search aria-label="Search">${magnifier}<span>Search</span><kbd>/</kbd></button>
<span class="by-session"><a class="${keyButton}" data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}">Get a key</a><a class="${keyButton}" data-signed-in href="${BASE_PATH}${DASHBOARD_PATH}/keys">Your keys</a></span>
<button class="menu-button" type="button" popovertarget="site-menu">Menu</button>
</div></header>`;
}

/** Without the links of customers. The script of the page adds the stage and the search. */
const operatorHeader = html`<header class="site-header"><div>
<a class="brand" href="${BASE_PATH}${OPERATOR_PATH}">${mark}<span>${SITE_NAME}</span></a>
<div id="operator-header"></div>
</div></header>`;

const isCurrent = (path: string, current: string): boolean => current === path || current.startsWith(`${path}/`);

const magnifier = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="7" cy="7" r="4.6"/><path d="m10.5 10.5 3.6 3.6"/></svg>`;

const footer = html`<footer class="site-footer"><div>
<p class="brand">${mark}<span>${SITE_NAME}</span></p>
<nav aria-label="Footer">
<a href="${BASE_PATH}/docs">Documentation</a>
<a href="${BASE_PATH}/docs/reference/api">API reference</a>
<a href="${BASE_PATH}/docs/errors">Errors</a>
<a href="${BASE_PATH}/pricing">Pricing</a>
<a href="${BASE_PATH}/docs/changelog">Changelog</a>
<a href="${BASE_PATH}${STATUS_PATH}">Status</a>
<a href="${BASE_PATH}/docs/operate">Run it yourself</a>
<a href="${BASE_PATH}/openapi.json">OpenAPI</a>
<a href="${BASE_PATH}/llms.txt">llms.txt</a>
${identityLinks}</nav>
<p class="fine">MIT licensed. Anyone can run it.</p>
</div></footer>`;
