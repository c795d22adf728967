// The changelog as a page: each change shows its tag, and buttons choose whose changes are listed. Without a script, all are.
import { type Html, html, rawHtml } from "../html.ts";
import { BASE_PATH } from "../site-files.ts";
import { type ChangeTag, changeTags, customersTags } from "./changelog.ts";

export const CHANGELOG_FEED_PATH = "/docs/changelog.atom";

const labels: Readonly<Record<ChangeTag, string>> = {
  API: "API and clients",
  Dashboard: "Dashboard and website",
  Operation: "Operation",
};

/** The article of the rendered changelog. */
export function changelogArticle(rendered: string): Html {
  const [intro = "", ...sections] = rendered.split(/(?=<h2 )/);
  return html`<div class="changelog">${rawHtml(intro)}
<p><a href="${BASE_PATH}${CHANGELOG_FEED_PATH}">Atom feed</a></p>
<div class="change-filter" role="group" aria-label="Changes that are shown" data-change-filter>
${changeTags.map(
  (tag) =>
    html`<button type="button" value="${tag}" aria-pressed="${String(customersTags.includes(tag))}">${labels[tag]}</button>`,
)}</div>
${sections.map((section) => html`<section>${rawHtml(withTags(section))}</section>`)}</div>`;
}

function withTags(rendered: string): string {
  return changeTags.reduce((text, tag) => {
    const shown = customersTags.includes(tag) ? " data-shown" : "";
    return text.replaceAll(`<li>[${tag}] `, `<li data-change="${tag}"${shown}><span class="change-tag">${tag}</span> `);
  }, rendered);
}
