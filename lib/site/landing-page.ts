// The landing page: what the service is, a capture that it made, its code in eight languages, a comparison, and the plans.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { KEYLESS_CAPTURES_PER_HOUR, KEYLESS_OPTIONS } from "../contract/keyless-capture.ts";
import { renderDocument, renderInline } from "./docs/render-markdown.ts";
import { type Html, html, rawHtml } from "./html.ts";
import { supportContact } from "./identity-parts.ts";
import { assetUrl, type PageContent } from "./layout.ts";
import { planCards } from "./plan-cards.ts";
import { BASE_PATH, bySetting, bySignUp, DASHBOARD_PATH, SIGN_IN_PATH } from "./site-files.ts";

const picturesFolder = join(import.meta.dirname, "./web/pictures");

/** `pictureName` gives the name of the asset of a picture. */
export function landingPage(pictureName: (file: string) => string): PageContent {
  const picture = (file: string) => assetUrl(pictureName(file));
  return {
    path: "/",
    title: "Screenshots, PDFs, and videos of any page",
    description: "An API that turns any web page, HTML, or Markdown into an image, a PDF, a video, or clean text.",
    kind: "landing",
    main: html`<section class="hero">
<div class="hero-text">
<h1>Any page, captured.</h1>
<p class="lead">Send a URL, HTML, or Markdown. Get an image, a PDF, a video, or clean text, and a word on what looks wrong in it.</p>
${bySetting("keylessCaptures", { on: captureForm, off: html`` })}
<p class="actions">${keyButtons} <a class="button" href="${BASE_PATH}/playground">Open the playground</a></p>
${bySignUp({
  open: html`<p class="fine" data-signed-out>The trial is free and needs an e-mail address.</p>`,
  closed: html`<p class="fine" data-signed-out>The operator of this service opens accounts: ${bySetting("support", {
    set: html`ask for yours at ${supportContact}`,
    unset: html`ask for yours`,
  })}. Then sign in with your e-mail address.</p>`,
})}
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
<section class="plans"><h2>Plans</h2>
<p>Failures and cached answers cost nothing. <a href="${BASE_PATH}/pricing">Calculate your month</a>.</p>
${planCards}</section>
${ownership}`,
  };
}

const keyButtons = html`<span class="by-session">${bySignUp({
  open: html`<a class="button button-primary" data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}">Get a key</a>`,
  closed: html`<a class="button button-primary" data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}">Sign in</a>`,
})}<a class="button button-primary" data-signed-in href="${BASE_PATH}${DASHBOARD_PATH}/keys">Your keys</a></span>`;

/** Its script loads when it is used, and shows the picture in the place of the sample. */
const captureForm = html`<form class="capture-form" action="${BASE_PATH}/playground">
<label for="try-address">Capture a page, without a key</label>
<div><input id="try-address" type="text" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" placeholder="example.com" maxlength="2000" required aria-describedby="try-note">
<button class="button-primary">Capture</button></div>
<p class="fine" id="try-note" role="status">${KEYLESS_OPTIONS.image_width} pixels wide, ${KEYLESS_CAPTURES_PER_HOUR} an hour. With a key: every size, format, and option.</p>
</form>
`;

function liveSample(picture: (file: string) => string): Html {
  const { size } = statSync(join(picturesFolder, "sample.webp"));
  return html`<figure class="viewfinder">
<picture><source media="(prefers-color-scheme: dark)" srcset="${picture("sample-dark.webp")}">
<img src="${picture("sample.webp")}" width="1280" height="800" alt="The website of a museum, captured by this service" fetchpriority="high"></picture>
<figcaption><span>1280 × 800</span><span>WebP</span><span>${Math.round(size / 1000)} KB</span><span>captured by this service</span></figcaption>
</figure>`;
}

const REQUEST = `curl --fail-with-body -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" \\
  "http://127.0.0.1:3000/api/v1/screenshot?url=https://example.com&${new URLSearchParams(
    Object.entries(KEYLESS_OPTIONS).map(([name, value]) => [name, String(value)]),
  )}" -o page.${KEYLESS_OPTIONS.format}`;

const start = html`<section class="start" id="code">
<div><h2>One request</h2><p>Your key, an address, and the <a href="${BASE_PATH}/docs/reference/options">options</a> that you need. The
answer is the image itself. The <a href="${BASE_PATH}/docs">quick start</a> goes on from here.</p></div>
<div class="start-sample">${rawHtml(renderDocument("docs/start.md", `\`\`\`sh\n${REQUEST}\n\`\`\`\n`).html)}</div>
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

interface ComparedTime {
  readonly name: string;
  readonly script: string;
  readonly service: string;
  readonly reason: string;
}

/** The rows of the first table of the page Compare. Throws when there is none. */
function comparedTimes(): { readonly rows: readonly ComparedTime[]; readonly measuredOn: string } {
  const page = readFileSync(join(import.meta.dirname, "../../docs/compare.md"), "utf8");
  const [, table = ""] = /\|---[^\n]*\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  const [measuredOn] = /\d{4}-\d{2}-\d{2}/.exec(page) ?? [];
  const rows = table
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [name = "", script = "", service = "", reason = ""] = line
        .split("|")
        .slice(1, 5)
        .map((cell) => cell.trim());
      return { name, script, service, reason };
    });
  if (measuredOn === undefined || !rows[0]?.reason) throw new Error("docs/compare.md has no table of times.");
  return { rows, measuredOn };
}

const { rows, measuredOn } = comparedTimes();

const comparison = html`<section class="compare">
<div><h2>Measured, not promised</h2><p>The bare script drives the same Chromium with the same flags and does nothing else.
Medians on two cores, ${measuredOn}. You can <a href="${BASE_PATH}/docs/compare">reproduce every figure</a>.</p></div>
<div class="table" tabindex="0" role="group" aria-label="Comparison"><table>
<thead><tr><th scope="col">Capture</th><th scope="col" align="right">Bare Puppeteer script</th><th scope="col" align="right">This service</th><th scope="col">Why</th></tr></thead>
<tbody>${rows.map(
  ({ name, script, service, reason }) =>
    html`<tr><th scope="row">${rawHtml(renderInline(name))}</th><td align="right">${emphasized(script, isFaster(script, service))}</td><td align="right">${emphasized(service, isFaster(service, script))}</td><td>${reason}</td></tr>`,
)}</tbody></table></div>
</section>`;

function isFaster(time: string, other: string): boolean {
  const milliseconds = (text: string) => Number(text.replaceAll(/\D/g, ""));
  return milliseconds(time) < milliseconds(other);
}

function emphasized(text: string, isEmphasized: boolean): Html {
  return isEmphasized ? html`<b>${text}</b>` : html`${text}`;
}

const ownership = html`<section class="start"><div><h2>Or own it</h2><p>The service is open source. It deploys to your AWS account with one
command, and you pay per invocation: about $0.02 for 1,000 small captures, $0.12 for 1,000 pages that take three seconds.</p></div>
<p class="actions"><a class="button" href="${BASE_PATH}/docs/operate">Run it yourself</a> <a class="button" href="${BASE_PATH}/docs/security">How it is secured</a></p></section>
`;
