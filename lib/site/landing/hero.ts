// The first screen: a field, a button, and a picture, and below it the same request in code.
import { statSync } from "node:fs";
import { join } from "node:path";
import { KEYLESS_CAPTURES_PER_HOUR, KEYLESS_OPTIONS } from "../../contract/keyless-capture.ts";
import { renderDocument } from "../docs/render-markdown.ts";
import { type Html, html, rawHtml } from "../html.ts";
import { supportContact } from "../identity-parts.ts";
import { BASE_PATH, bySetting, bySignUp, DASHBOARD_PATH, SIGN_IN_PATH } from "../site-files.ts";

const picturesFolder = join(import.meta.dirname, "../web/pictures");

/** `assetAddress` gives the address of a file of lib/site/web/pictures. */
export function hero(assetAddress: (file: string) => string): Html {
  return html`<section class="hero">
<div class="hero-text">
<h1>Any page, captured.</h1>
<p class="lead">Send a URL, HTML, or Markdown. Get an image, a PDF, a video, or clean text, and a word on what looks wrong in it.</p>
${bySetting("keylessCaptures", { on: captureForm, off: keyButton })}
</div>
${sample(assetAddress)}
</section>`;
}

/** Its script loads when it is used, and shows the picture in the place of the sample. */
const captureForm = html`<form class="capture-form" action="${BASE_PATH}/playground">
<label for="try-address">Capture a page, without a key</label>
<div><input id="try-address" type="text" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" placeholder="example.com" maxlength="2000" required aria-describedby="try-note">
<button class="button-primary">Capture</button></div>
<p class="fine" id="try-note" role="status">${KEYLESS_OPTIONS.image_width} pixels wide, ${KEYLESS_CAPTURES_PER_HOUR} an hour. Every size, format, and option is in the <a href="${BASE_PATH}/playground">playground</a>.</p>
</form>
`;

/** For a service that captures nothing without a key. */
const keyButton = html`<p class="actions"><span class="by-session">${bySignUp({
  open: html`<a class="button button-primary" data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}">Get a key</a>`,
  closed: html`<a class="button button-primary" data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}">Sign in</a>`,
})}<a class="button button-primary" data-signed-in href="${BASE_PATH}${DASHBOARD_PATH}/keys">Your keys</a></span> <a class="button" href="${BASE_PATH}/playground">Open the playground</a></p>
${bySignUp({
  open: html`<p class="fine" data-signed-out>The trial is free and needs an e-mail address.</p>`,
  closed: html`<p class="fine" data-signed-out>The operator of this service opens accounts: ${bySetting("support", {
    set: html`ask for yours at ${supportContact}`,
    unset: html`ask for yours`,
  })}. Then sign in with your e-mail address.</p>`,
})}
`;

function sample(assetAddress: (file: string) => string): Html {
  const { size } = statSync(join(picturesFolder, "sample.webp"));
  return html`<figure class="viewfinder">
<picture><source media="(prefers-color-scheme: dark)" srcset="${assetAddress("sample-dark.webp")}">
<img src="${assetAddress("sample.webp")}" width="1280" height="800" alt="The website of a museum, captured by this service" fetchpriority="high"></picture>
<figcaption><span>1280 × 800</span><span>WebP</span><span>${Math.round(size / 1000)} KB</span><span>captured by this service</span></figcaption>
</figure>`;
}

const REQUEST = `curl --fail-with-body -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" \\
  "http://127.0.0.1:3000/api/v1/screenshot?url=https://example.com&${new URLSearchParams(
    Object.entries(KEYLESS_OPTIONS).map(([name, value]) => [name, String(value)]),
  )}" -o page.${KEYLESS_OPTIONS.format}`;

/** The request of the form in all languages. */
export const codeSection = html`<section class="start" id="code">
<div><h2>One request</h2><p>Your key, an address, and the <a href="${BASE_PATH}/docs/reference/options">options</a> that you need. The
answer is the image itself. The <a href="${BASE_PATH}/docs">quick start</a> goes on from here.</p></div>
<div class="start-sample">${rawHtml(renderDocument("docs/start.md", `\`\`\`sh\n${REQUEST}\n\`\`\`\n`).html)}</div>
</section>`;
