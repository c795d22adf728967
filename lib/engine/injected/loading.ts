/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Loading: writes HTML into the document, waits for fonts and images, and returns whether more can still appear.
import { hasActiveContent } from "./dom/active-content.ts";
import { delay } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";
import { openRoots, queryAll } from "./dom/shadow-roots.ts";
import { endCommits } from "./frame-commits.ts";

/** Begins to replace the document. It loses its event listeners, and those of its window. */
export function openDocument(): void {
  endCommits();
  document.open();
}

/** Writes an opened document. `document.write` keeps the doctype and runs the scripts, as loading the HTML does. */
export function writeDocument(html: string): void {
  document.write(html);
  Document.prototype.close.call(document); // an element named `close` hides it
}

export function prefersDark(): boolean {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Waits until fonts are loaded and images are decoded, at most `capMs`. Images count that are in the window, or, with
 * `depth`, whose top edge is less than that many CSS pixels below the page's top. Returns whether the page can still
 * change by itself.
 */
export async function readiness(capMs: number, depth?: number): Promise<{ canChange: boolean }> {
  const counts = (image: HTMLImageElement) => {
    const box = image.getBoundingClientRect();
    if (depth !== undefined) return box.top + window.scrollY < depth && box.width > 0;
    return box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth;
  };
  const roots = openRoots();
  const images = roots.flatMap((root) => [...queryAll<HTMLImageElement>(root, "img")]);
  // An element with such a name hides this property of the document.
  const fonts = readProperty(Document.prototype, "fonts", document);
  const decoded = images.filter(counts).map((image) => image.decode().catch(() => undefined));
  await Promise.race([Promise.all([fonts.ready, ...decoded]), delay(capMs)]);
  return { canChange: hasActiveContent(roots) };
}

/** Substrings of code that runs later or loads something, or that builds such names at run time. */
const DEFERRING = (
  "set request fetch XMLHttp Socket Source Transport Worker Channel Message Listener Observer scheduler animate then " +
  "await async Promise import eval Function location createElement HTML write append insert Image Audio FontFace define"
).split(" ");

/**
 * Whether a loaded page can show more without a visitor. It cannot when its body holds nothing but inline scripts that
 * have run and defer nothing: no timer, event, promise, request or loading element.
 */
export function canShowMore(): boolean {
  const all = (selector: string) => [...queryAll(document, selector)];
  if (all("body *:not(script, noscript, template)").length > 0) return true;
  if (all("script[src], [type=module], meta[http-equiv=refresh i], frame").length > 0) return true;
  if (all("html, body").some((element) => element.getAttributeNames().some((name) => name.startsWith("on"))))
    return true;
  return all("script").some(({ textContent }) => {
    const code = textContent ?? "";
    return DEFERRING.some((word) => code.includes(word)) || /\bon[a-z]/.test(code) || /\[[a-z"'`$_(]/i.test(code);
  });
}
