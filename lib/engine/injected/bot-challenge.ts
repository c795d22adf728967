/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: what a page consists of that says hardly anything.

export interface ShortPage {
  readonly title: string;
  readonly text: string;
  /** Addresses of scripts, frames and forms, and what scripts without one begin with, a line each. */
  readonly loads: string;
  /** For each selector, whether an element matches it. */
  readonly matched: readonly boolean[];
  /** True where something can be typed into. */
  readonly hasFields: boolean;
  /** True where it can change, or lead on, by itself. */
  readonly canChange: boolean;
}

/** null for a page of many elements, or of more than `longest` characters of text: it is looked at no further. */
export function readShortPage(selectors: string[], longest: number): ShortPage | null {
  // Elements with such names hide these properties of the document itself.
  const body = Reflect.get(Document.prototype, "body", document) as HTMLElement | null;
  const title = (Reflect.get(Document.prototype, "title", document) as string).slice(0, longest);
  const all = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const [most, beginning, largest] = [60, 2_000, 2_000];
  if (Document.prototype.getElementsByTagName.call(document, "*").length > largest) return null;
  const unseen = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"]);
  const isShown = (element: Element | null) =>
    element !== null && !unseen.has(element.tagName) && element.checkVisibility({ visibilityProperty: true });
  let text = "";
  const walker = document.createTreeWalker(body ?? document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const words = (node.nodeValue ?? "").replace(/\s+/g, " ").trim();
    if (words === "" || !isShown(node.parentElement)) continue;
    text += `${words} `;
    if (text.length > longest) return null;
  }
  const sources = all("script, iframe[src], frame[src], form[action]")
    .slice(0, most)
    .map((element) => {
      const address = element.getAttribute("src") ?? element.getAttribute("action");
      return (address ?? element.textContent ?? "").slice(0, beginning);
    });
  const typed =
    "input:not([type=hidden], [type=submit], [type=button], [type=checkbox], [type=image]), select, textarea";
  return {
    title,
    text,
    loads: sources.join("\n"),
    matched: selectors.map((selector) => all(selector).length > 0),
    hasFields: all(typed).some(isShown),
    canChange: all("script:not([type*=json]), iframe, meta[http-equiv=refresh i], [onload]").length > 0,
  };
}
