// The landing page: what the service is, a capture that it made, how to start, a comparison, and the plans.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { dollars } from "../contract/money.ts";
import { type Plan, planQuotas, plans } from "../contract/plans.ts";
import { renderCode } from "./docs/render-markdown.ts";
import { type Html, html, rawHtml } from "./html.ts";
import { assetUrl, type PageContent } from "./layout.ts";
import { BASE_PATH, BASE_URL } from "./site-files.ts";

const picturesFolder = join(import.meta.dirname, "./web/pictures");

/** `pictureUrl` gives the name of the asset of a picture. */
export function landingPage(pictureName: (file: string) => string): PageContent {
  const picture = (file: string) => assetUrl(pictureName(file));
  return {
    path: "/",
    title: "Screenshots, PDFs, and videos of any page",
    description: "Screenshots, PDFs, and videos of any web page, from an API that you own and run in your AWS account.",
    kind: "landing",
    main: html`<section class="hero">
<div class="hero-text">
<h1>Any page, captured.<br>By an API that’s yours.</h1>
<p class="lead">Send a URL, HTML, or Markdown. Get an image, a PDF, a video, or clean text. It deploys to your AWS account with one
command and costs about $0.02 per 1,000 small captures.</p>
<p class="actions"><a class="button button-primary" href="${BASE_PATH}/playground">Open the playground</a> <a class="button" href="${BASE_PATH}/docs">Read the docs</a></p>
</div>
${liveSample(picture)}
</section>
${start}
<section class="band"><div class="features">
${features.map(
  ([title, text, path, link]) =>
    html`<div><h3>${title}</h3><p>${text}</p><p><a href="${BASE_PATH}/docs/${path}">${link}</a></p></div>`,
)}
</div></section>
${comparison}
${pricing}`,
  };
}

function liveSample(picture: (file: string) => string): Html {
  const { size } = statSync(join(picturesFolder, "sample.webp"));
  return html`<figure class="viewfinder">
<picture><source media="(prefers-color-scheme: dark)" srcset="${picture("sample-dark.webp")}">
<img src="${picture("sample.webp")}" width="1280" height="800" alt="The website of a museum, captured by this service" fetchpriority="high"></picture>
<figcaption><span>1280 × 800</span><span>WebP</span><span>${Math.round(size / 1000)} KB</span><span>captured by this service</span></figcaption>
</figure>`;
}

const start = html`<section class="start">
<div><h2>Two commands</h2><p>The first runs the whole service on your machine: the functions, the databases, and Chromium. It
prints an API key. The second makes a capture.</p></div>
<div class="copyable">${rawHtml(
  renderCode(
    "sh",
    `npm ci && npm start\ncurl -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" \\\n  "${BASE_URL}/api/v1/screenshot?url=https://example.com" \\\n  -o page.png`,
  ),
)}</div>
</section>`;

const features = [
  [
    "Pages without the clutter",
    "Filter lists block ads and trackers. Cookie banners are closed with the click that rejects, in thirty languages.",
    "guide/clean-pages",
    "Clean pages",
  ],
  [
    "Pages that are ready",
    "The service waits for fonts, images, and charts. It scrolls through full pages, so that lazy images load.",
    "guide/waiting",
    "Waiting",
  ],
  [
    "Video, exact to the frame",
    "MP4, WebM, GIF, and animated WebP. Time in the page advances frame by frame, however slow the machine is.",
    "guide/video",
    "Video",
  ],
  [
    "Text for models",
    "Markdown, plain text, and metadata of the page as it looks after its scripts have run.",
    "guide/text-and-metadata",
    "Text and metadata",
  ],
  [
    "Captures while you wait for nothing",
    "Asynchronous captures with signed webhooks that are retried for 18 hours, a cache, and idempotency keys.",
    "guide/async",
    "Asynchronous captures",
  ],
  [
    "Safe with strangers’ pages",
    "A fresh Chromium for each capture, behind an egress proxy that reaches public addresses only.",
    "security",
    "Security",
  ],
] as const;

/** The rows of the first table of the page Compare. Throws when there is none. */
function comparedTimes(): { readonly rows: readonly (readonly string[])[]; readonly measuredOn: string } {
  const page = readFileSync(join(import.meta.dirname, "../../docs/compare.md"), "utf8");
  const [, table = ""] = /\|---[^\n]*\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  const [measuredOn] = /\d{4}-\d{2}-\d{2}/.exec(page) ?? [];
  const rows = table
    .trimEnd()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, 4)
        .map((cell) => cell.trim()),
    );
  if (measuredOn === undefined || rows[0]?.length !== 3) throw new Error("docs/compare.md has no table of times.");
  return { rows, measuredOn };
}

const { rows, measuredOn } = comparedTimes();

const comparison = html`<section class="compare">
<div><h2>Measured, not promised</h2><p>The bare script drives the same Chromium with the same flags and does nothing else.
Medians on two cores, ${measuredOn}. You can <a href="${BASE_PATH}/docs/compare">reproduce every figure</a>.</p></div>
<div class="table" tabindex="0" role="group" aria-label="Comparison"><table>
<thead><tr><th scope="col">Capture</th><th scope="col" align="right">Bare Puppeteer script</th><th scope="col" align="right">This service</th></tr></thead>
<tbody>${rows.map(
  ([name, script, service]) =>
    html`<tr><th scope="row">${name}</th><td align="right">${script}</td><td align="right"><b>${service}</b></td></tr>`,
)}</tbody></table></div>
</section>`;

const pricing = html`<section class="plans"><h2>Plans</h2>
<p>The operator of this service sets them. To get an account or to change your plan, ask the operator.</p>
<div class="plan-list">${Object.values(plans).map(
  (plan) => html`<div><h3>${plan.label}</h3>
<p class="price">$${dollars(plan.price).replace(/\.00$/, "")} <span>${plan.trialDays === undefined ? "a month" : `for ${plan.trialDays} days`}</span></p>
<ul>${planFacts(plan).map((fact) => html`<li>${fact}</li>`)}</ul></div>`,
)}</div></section>`;

function planFacts(plan: Plan): string[] {
  return [
    ...planQuotas(plan).map(({ name, limit }) => `${limit.toLocaleString("en-US")} ${name}`),
    `${plan.requestsPerMinute} requests a minute`,
    `${plan.concurrentJobs} asynchronous captures at a time`,
    plan.overagePrice === undefined ? "Stops at the quota" : `$${dollars(plan.overagePrice)} for each further capture`,
    ...(plan.firstMonthPrice === undefined ? [] : [`$${dollars(plan.firstMonthPrice)} for the first month`]),
  ];
}
