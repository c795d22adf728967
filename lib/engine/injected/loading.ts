/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: what has been loaded, and what was shown with it.

/** Replaces the document. Writing it keeps its doctype and runs its scripts, as loading it would. */
export function writeDocument(html: string): void {
  document.open();
  document.write(html);
  Document.prototype.close.call(document); // an element that is called so hides it
}

export function prefersDark(): boolean {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Waits until fonts are loaded and images are decoded, at most `capMs`, and reports whether the page can still change by
 * itself. Counts images in the window, or all whose top edge lies less than `depth` pixels below the page's top.
 */
export async function readiness(capMs: number, depth?: number): Promise<{ canChange: boolean }> {
  const counts = (image: HTMLImageElement) => {
    const box = image.getBoundingClientRect();
    if (depth !== undefined) return box.top + window.scrollY < depth && box.width > 0;
    return box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth;
  };
  // Elements with such names hide these properties of the document itself.
  const images = Reflect.get(Document.prototype, "images", document) as HTMLCollectionOf<HTMLImageElement>;
  const fonts = Reflect.get(Document.prototype, "fonts", document) as FontFaceSet;
  const decoded = [...images].filter(counts).map((image) => image.decode().catch(() => undefined));
  const cap = new Promise((resolve) => setTimeout(resolve, capMs));
  await Promise.race([Promise.all([fonts.ready, ...decoded]), cap]);
  const active = "script, iframe, frame, object, embed, meta[http-equiv=refresh i], [onload], [onerror]";
  return { canChange: Document.prototype.querySelector.call(document, active) !== null };
}

/**
 * Whether a page that has loaded can show more without a visitor. It cannot when its body holds nothing but inline scripts
 * that have run and defer nothing: no timer, event, promise, request or element that loads.
 */
export function canShowMore(): boolean {
  const all = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)];
  if (all("body *:not(script, noscript, template)").length > 0) return true;
  if (all("script[src], [type=module], meta[http-equiv=refresh i], frame").length > 0) return true;
  if (all("html, body").some((element) => element.getAttributeNames().some((name) => name.startsWith("on"))))
    return true;
  // What runs later or loads something, as part of any name; and names that are put together at run time.
  const deferring =
    "set request fetch XMLHttp Socket Source Transport Worker Channel Message Listener Observer scheduler animate then " +
    "await async Promise import eval Function location createElement HTML write append insert Image Audio FontFace define";
  const words = deferring.split(" ");
  return all("script").some(({ textContent }) => {
    const code = textContent ?? "";
    return words.some((word) => code.includes(word)) || /\bon[a-z]/.test(code) || /\[[a-z"'`$_(]/i.test(code);
  });
}

/**
 * Asks for frame after frame, as something that moves does, until `stopMoving`. In a page that is painted on demand and
 * stands still, idle moments end after the first ones, and what it puts off until such a moment would never be done.
 */
export function keepMoving(): void {
  const world = globalThis as { isMoving?: boolean };
  if (world.isMoving !== undefined) return;
  world.isMoving = true;
  const next = () => {
    if (world.isMoving) requestAnimationFrame(next);
  };
  next();
}

export function stopMoving(): void {
  Object.assign(globalThis, { isMoving: false });
}
