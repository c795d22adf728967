/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: scrolls it while it is filmed.

/** Has everything loaded that waits to be near the view: no time passes in the page between two frames in which it could. */
export function loadEagerly(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const lazy of root.querySelectorAll("img[loading=lazy], iframe[loading=lazy]")) {
      lazy.setAttribute("loading", "eager");
    }
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) roots.push(shadowRoot);
  }
}

/**
 * The largest offset, in CSS pixels, of what `scrollFilmTo` scrolls: 0 or less where everything is in view. What scrolls
 * is kept for it, and no longer snaps to places.
 */
export function scrollExtent(
  filmedScroller: (innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null) => Element,
  innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null,
): number {
  const scroller = filmedScroller(innerScroller);
  // A form hides its own properties behind the names of its fields.
  const heightOf = (box: "scrollHeight" | "clientHeight"): number => Reflect.get(Element.prototype, box, scroller);
  // A page that is wider than the phone is shown zoomed out: the window then holds more of it than its own height.
  const view = scroller === document.scrollingElement ? window.innerHeight : 0;
  return heightOf("scrollHeight") - Math.max(heightOf("clientHeight"), view);
}

/**
 * Scrolls to `top` at once, however smoothly the page scrolls by itself: in CSS pixels, whole ones, to which Chromium
 * rounds. Waits for nothing, as the page's clock stands still meanwhile.
 */
export function scrollRecordingTo(
  top: number,
  filmedScroller: (innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null) => Element,
  innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null,
): void {
  const { scrollTo } = Element.prototype;
  Reflect.apply(scrollTo, filmedScroller(innerScroller), [{ top, behavior: "instant" }]);
}

/**
 * The page, or the part of it that scrolls in its stead: looked for once, as a page can have very many elements. Goes
 * along to other scripts of this file.
 */
export function recordedScroller(innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null): Element {
  const world = globalThis as { filmed?: Element };
  if (world.filmed) return world.filmed;
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) roots.push(shadowRoot);
  }
  const { body, documentElement: page } = document;
  const isLocked = [body, page].every((each) => each && getComputedStyle(each).overflowY === "hidden");
  // Kept from scrolling, as by a cookie wall that is hidden now: scripts still can.
  const locked = isLocked && body.scrollHeight > body.clientHeight + 1 ? body : null;
  const filmed = innerScroller(roots) ?? locked ?? document.scrollingElement ?? page;
  // What snaps to places would leap from one to the next.
  for (const element of [filmed, body, page]) {
    if (!(element instanceof HTMLElement)) continue; // a document can be an SVG
    const style = Reflect.get(HTMLElement.prototype, "style", element) as CSSStyleDeclaration;
    style.setProperty("scroll-snap-type", "none", "important");
  }
  world.filmed = filmed;
  return filmed;
}
