// The changelog as a page for customers: what only people who run the service notice is folded in each section.
import { type Html, html, rawHtml } from "../html.ts";

/** What needs the source or the settings of the service. */
const OPERATORS_WORDS =
  /`npm (?:run|start)|\bstages?\b|\boperations\.md|\bCDK\b|`doctor`|\bAWS account\b|\bLambda\b|\bfunctions? in place\b/;

/** Returns the Markdown with the entries for operators of each section in an element `details`. */
export function foldOperatorsEntries(changelog: string): string {
  return changelog
    .split(/^(?=#{2,3} )/m)
    .map((section) => {
      const [head = "", ...entries] = section.split(/^(?=- )/m);
      const folded = entries.filter((entry) => OPERATORS_WORDS.test(entry));
      const shown = entries.filter((entry) => !folded.includes(entry));
      if (folded.length === 0) return section;
      const summary = folded.length === 1 ? "One change" : `${folded.length} changes`;
      const details = `<details><summary>${summary} for people who run the service</summary>\n\n${joined(folded)}\n</details>\n\n`;
      return `${head}${joined(shown)}${details}`;
    })
    .join("");
}

const joined = (entries: readonly string[]): string =>
  entries
    .map((entry) => `${entry.trimEnd()}\n`)
    .join("")
    .concat("\n");

/** The article of the rendered changelog. */
export const changelogArticle = (rendered: string): Html => html`<div class="changelog">${rawHtml(rendered)}</div>`;
