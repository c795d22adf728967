/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds elements that embed a PDF: the browser of captures has no PDF viewer, so that they are empty boxes.
import { queryAllRoots } from "./dom/shadow-roots.ts";
import { visibleBox } from "./dom/visible-box.ts";

/** An element that embeds a PDF. */
export interface EmbeddedPdf {
  /** The name of the element, such as `iframe`. */
  readonly element: string;
  readonly url: string;
}

/** The visible `object` and `embed` elements, in open shadow roots too, that Chromium takes for PDFs without a request. */
export function pdfPlugins(): EmbeddedPdf[] {
  return queryAllRoots<Element>("object, embed")
    .filter(isPdfPlugin)
    .flatMap((element) => pdfIn(element) ?? []);
}

/** The PDF of the element around a frame that got one; null if the element isn't visible. */
export function pdfIn(element: Element): EmbeddedPdf | null {
  return visibleBox(element) && { element: element.localName, url: sourceUrl(element) };
}

/** The type decides; without one, the URL does. */
function isPdfPlugin(element: Element): boolean {
  const type = element.getAttribute("type")?.trim();
  if (type) return /^(application|text)\/pdf\b/i.test(type);
  const url = sourceUrl(element);
  return /^data:application\/pdf\b/i.test(url) || /\.pdf$/i.test(URL.parse(url)?.pathname ?? "");
}

function sourceUrl(element: Element): string {
  const url = element.getAttribute(element.localName === "object" ? "data" : "src") ?? "";
  return URL.parse(url, element.baseURI)?.href ?? url;
}
