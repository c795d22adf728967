/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads a short page, as pages of bot challenges are, so that it can be compared with known challenges.
import { documentBody } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";
import { queryAll } from "./dom/shadow-roots.ts";

export interface ShortPage {
  readonly title: string;
  readonly text: string;
  /** Addresses of scripts, frames and forms, and the beginnings of inline scripts, one per line. */
  readonly loads: string;
  /** For each selector, whether an element matches it. */
  readonly matched: readonly boolean[];
  /** True when it has fields to type into. */
  readonly hasFields: boolean;
  /** True when it can change, or navigate, by itself. */
  readonly canChange: boolean;
}

const MAX_ELEMENTS = 2_000;
const MAX_SOURCES = 60;
const MAX_SOURCE_CHARACTERS = 2_000;

const INVISIBLE = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"]);
const FIELDS =
  "input:not([type=hidden], [type=submit], [type=button], [type=checkbox], [type=image]), select, textarea";

/** Returns null for a page of more than 2,000 elements, or of more than `maxCharacters` of text. */
export function readShortPage(selectors: string[], maxCharacters: number): ShortPage | null {
  if (Document.prototype.getElementsByTagName.call(document, "*").length > MAX_ELEMENTS) return null;
  const title = readProperty(Document.prototype, "title", document).slice(0, maxCharacters);
  const isShown = (element: Element | null) =>
    element !== null && !INVISIBLE.has(element.tagName) && element.checkVisibility({ visibilityProperty: true });
  let text = "";
  const walker = document.createTreeWalker(documentBody() ?? document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const words = (node.nodeValue ?? "").replace(/\s+/g, " ").trim();
    if (words === "" || !isShown(node.parentElement)) continue;
    text += `${words} `;
    if (text.length > maxCharacters) return null;
  }
  const sources = [...queryAll(document, "script, iframe[src], frame[src], form[action]")]
    .slice(0, MAX_SOURCES)
    .map((element) => {
      const address = element.getAttribute("src") ?? element.getAttribute("action");
      return (address ?? element.textContent ?? "").slice(0, MAX_SOURCE_CHARACTERS);
    });
  const changing = "script:not([type*=json]), iframe, meta[http-equiv=refresh i], [onload]";
  return {
    title,
    text,
    loads: sources.join("\n"),
    matched: selectors.map((selector) => queryAll(document, selector).length > 0),
    hasFields: [...queryAll(document, FIELDS)].some(isShown),
    canChange: queryAll(document, changing).length > 0,
  };
}
