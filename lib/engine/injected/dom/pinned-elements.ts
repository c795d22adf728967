/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Large elements that stay in the window while the page scrolls on: scenes that play with the scroll position.

/** Least share of the window's width and height that such an element takes. */
const MIN_SHARE = 0.5;

/** Where each pinned element was in the window, in CSS pixels from its top, when it was seen there first. */
const tops = new Map<Element, number>();

/** Notes which of the fixed and sticky elements are pinned now: sticky ones, and those that only the scroll position fixes. */
export function observePinned(elements: readonly Element[]): void {
  for (const element of elements) {
    if (tops.has(element)) continue;
    const { width, height, top } = element.getBoundingClientRect();
    const isLarge = width >= MIN_SHARE * window.innerWidth && height >= MIN_SHARE * window.innerHeight;
    const { position, top: inset } = getComputedStyle(element);
    if (!isLarge || top >= window.innerHeight) continue;
    if (position === "sticky" && inset !== "auto") tops.set(element, Number.parseFloat(inset));
    if (position === "fixed" && window.scrollY > 0) tops.set(element, top);
  }
}

/** The pinned elements that are in the flow of the page now, and where each is pinned. The page must be at its top. */
export function pinnedElements(): ReadonlyMap<Element, number> {
  const inFlow = [...tops].filter(([element]) => element.isConnected && getComputedStyle(element).position !== "fixed");
  return new Map(inFlow);
}
