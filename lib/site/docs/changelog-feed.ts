// The changelog as an Atom feed: an entry for each release, or day. https://www.rfc-editor.org/rfc/rfc4287
import { SITE_NAME } from "../brand.ts";
import { html } from "../html.ts";
import { BASE_PATH, BASE_URL } from "../site-files.ts";
import { changeTags, datedSections } from "./changelog.ts";
import { CHANGELOG_FEED_PATH } from "./changelog-page.ts";
import { CHANGELOG_PATH } from "./doc-pages.ts";
import { renderDocument } from "./render-markdown.ts";

/** Readers keep what they have seen; the page has all. */
const MAX_ENTRIES = 10;

/** The document of the feed with the newest sections. Ids are addresses of sections, which never change. */
export function changelogFeed(changelog: string): string {
  const page = `${BASE_URL}${CHANGELOG_PATH}`;
  const sections = datedSections(changelog).slice(0, MAX_ENTRIES);
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>${SITE_NAME}: changes</title>
<id>${page}</id>
<link rel="self" type="application/atom+xml" href="${BASE_URL}${CHANGELOG_FEED_PATH}"/>
<link rel="alternate" type="text/html" href="${page}"/>
<updated>${sections[0]?.date ?? "1970-01-01"}T00:00:00Z</updated>
<author><name>${SITE_NAME}</name></author>
${sections.map(({ title, date, text }) => {
  const { html: content, headings } = renderDocument("CHANGELOG.md", `## ${title}\n\n${text}`);
  const address = `${page}#${headings[0]?.id}`;
  const body = content.slice(content.indexOf("</h2>") + "</h2>".length).trim();
  return html`<entry>
<title>${title}</title>
<id>${address}</id>
<link rel="alternate" type="text/html" href="${address}"/>
<updated>${date}T00:00:00Z</updated>
${changeTags.filter((tag) => text.includes(`- [${tag}] `)).map((tag) => html`<category term="${tag}"/>\n`)}<content type="html">${body.replaceAll(`href="${BASE_PATH}/`, `href="${BASE_URL}/`)}</content>
</entry>
`;
})}</feed>
`.text;
}
