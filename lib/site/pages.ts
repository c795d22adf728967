// All pages of the website, and its files for programs.
import type { BrowserAssets } from "./browser-assets.ts";
import { COMPOSER_PATH } from "./client-packages/client-paths.ts";
import { composerPackage } from "./client-packages/composer-package.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { docFiles } from "./docs/doc-files.ts";
import { html } from "./html.ts";
import { landingPage } from "./landing/landing-page.ts";
import { assetUrl, layout, type PageContent } from "./layout.ts";
import { playgroundSkeleton } from "./playground-skeleton.ts";
import { pricingPage } from "./pricing-page.ts";
import { BASE_PATH, NOT_FOUND_PATH, OPERATOR_PATH, type SiteFile } from "./site-files.ts";

const HTML_TYPE = "text/html; charset=utf-8";

export async function sitePages(assets: BrowserAssets): Promise<SiteFile[]> {
  const page = (content: PageContent): SiteFile => ({
    path: content.path,
    type: HTML_TYPE,
    text: layout(assets, content),
  });
  const pages = [
    landingPage((file) => assetUrl(pictureName(assets, file))),
    pricingPage,
    playgroundPage(assets),
    ...(await dashboardPages(assets)),
    notFoundPage,
  ];
  return [
    ...pages.map(page),
    { ...page(operatorPage(assets)), needsOperators: true },
    ...docFiles(assets, assets.optionPictures),
    { path: `${COMPOSER_PATH}/packages.json`, type: "application/json", text: composerPackage().index },
  ];
}

function pictureName({ pictures }: BrowserAssets, file: string): string {
  const name = pictures.get(file);
  if (name === undefined) throw new Error(`lib/site/web/pictures lacks ${file}. Make it with npm run pictures.`);
  return name;
}

function playgroundPage({ playground }: BrowserAssets): PageContent {
  return {
    path: "/playground",
    title: "Playground",
    description: "Try every option of the API, look at the result, and copy the code.",
    kind: "playground",
    script: playground.script,
    stylesheet: playground.stylesheet,
    main: html`<h1 class="visually-hidden">Playground</h1>
<div id="playground">${playgroundSkeleton}</div>
<noscript><p>The playground needs JavaScript. The <a href="${BASE_PATH}/docs">documentation</a> doesn’t.</p></noscript>`,
  };
}

/** One document for all addresses of the operator's page. Customers' pages don't lead to it. */
function operatorPage({ operator }: BrowserAssets): PageContent {
  return {
    path: OPERATOR_PATH,
    title: "Operator",
    description: "Accounts, failures, and the audit log of this service.",
    kind: "operator",
    script: operator.script,
    stylesheet: operator.stylesheet,
    main: html`<div id="app" data-root="${BASE_PATH}${OPERATOR_PATH}"><h1 class="visually-hidden">Operator</h1></div>
<noscript><p>The operator’s page needs JavaScript.</p></noscript>`,
  };
}

const notFoundPage: PageContent = {
  path: NOT_FOUND_PATH,
  title: "Page not found",
  description: "Nothing exists at this address.",
  kind: "message",
  main: html`<div class="message-frame">
<p class="eyebrow">404</p>
<h1>Nothing in the frame</h1>
<p>No page exists at this address. Start at the <a href="${BASE_PATH}/docs">documentation</a>, or try the
<a href="${BASE_PATH}/playground">playground</a>.</p>
</div>`,
};
