/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: makes a page fit to be painted as one tall sheet.

/** Where a step of the scroll led to, in CSS pixels. */
export interface ScrollStep {
  /** False at the end of what scrolls. */
  readonly moved: boolean;
  /** Of the lower edge of what is in view, from the top of what scrolls. */
  readonly position: number;
  /** Of all that scrolls. */
  readonly height: number;
}

/**
 * Scrolls on by `by` pixels, 0.95 of the view unless told: the page, or the largest part of it that scrolls where the
 * page itself does not. What waits to be near the view (`loading=lazy`, `content-visibility`) no longer does.
 */
export async function scrollOn(by: number | null): Promise<ScrollStep> {
  const roots: (Document | ShadowRoot)[] = [document];
  let inner: Element | undefined;
  const page = document.scrollingElement ?? document.documentElement;
  const pageScrolls = page.scrollHeight > window.innerHeight + 1;
  for (const root of roots) {
    for (const lazy of root.querySelectorAll("img[loading=lazy], iframe[loading=lazy]")) {
      lazy.setAttribute("loading", "eager");
    }
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (pageScrolls || element.scrollHeight <= element.clientHeight + 1) continue;
      const isLarge = element.clientHeight * element.clientWidth > 0.3 * window.innerHeight * window.innerWidth;
      if (!isLarge || !/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
      if (!inner || element.clientHeight * element.clientWidth > inner.clientHeight * inner.clientWidth)
        inner = element;
    }
  }
  const scroller = inner ?? page;
  const view = inner ? inner.clientHeight : window.innerHeight;
  const before = scroller.scrollTop;
  scroller.scrollTo({ top: before + (by ?? Math.max(1, Math.floor(view * 0.95))), behavior: "instant" });
  // The frame in which observers notice, and the task in which they are told; no frame comes while the page is busy.
  const frame = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await Promise.race([frame, new Promise((resolve) => setTimeout(resolve, 250))]);
  return { moved: scroller.scrollTop > before, position: scroller.scrollTop + view, height: scroller.scrollHeight };
}

/** Back to the top, of the page and of what scrolls within it. */
export async function scrollToTop(): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const isLarge = element.clientHeight * element.clientWidth > 0.3 * window.innerHeight * window.innerWidth;
      if (isLarge && element.scrollTop > 0) element.scrollTo({ top: 0, behavior: "instant" });
    }
  }
  window.scrollTo({ top: 0, left: 0, behavior: "instant" });
  const frame = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await Promise.race([frame, new Promise((resolve) => setTimeout(resolve, 250))]);
}

/** Scrolls the page to `top` and waits for the frame in which it is noticed. */
export async function scrollToOffset(top: number): Promise<void> {
  window.scrollTo({ top, behavior: "instant" });
  const frame = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await Promise.race([frame, new Promise((resolve) => setTimeout(resolve, 250))]);
}

/** Renders what `content-visibility: auto` would only render near the window. */
export function renderEverything(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (getComputedStyle(element).getPropertyValue("content-visibility") !== "auto") continue;
      element.style.setProperty("content-visibility", "visible", "important");
    }
  }
}

/**
 * Lays out in full height the part of the page that scrolls, where the page itself does not: an application whose
 * frame is as tall as the window. Its ancestors grow with it. Returns whether there was such a part.
 */
export function expandScroller(): boolean {
  const page = document.scrollingElement ?? document.documentElement;
  if (page.scrollHeight > window.innerHeight + 1 && !/hidden|clip/.test(getComputedStyle(page).overflowY)) return false;
  const area = (element: Element) => element.clientHeight * element.clientWidth;
  let scroller: HTMLElement | undefined;
  for (const element of document.querySelectorAll<HTMLElement>("body, body *")) {
    if (element.scrollHeight <= element.clientHeight + 1) continue;
    if (area(element) <= 0.3 * window.innerHeight * window.innerWidth) continue;
    if (!/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
    if (!scroller || area(element) > area(scroller)) scroller = element;
  }
  if (!scroller) return false;
  for (let element: HTMLElement | null = scroller; element; element = element.parentElement) {
    const style = getComputedStyle(element);
    const set = (property: string, value: string) => element?.style.setProperty(property, value, "important");
    const { minHeight } = style;
    const height = `${element.getBoundingClientRect().height}px`;
    set("overflow", "visible");
    set("max-height", "none");
    set("height", "auto");
    set("min-height", minHeight === "auto" || minHeight === "0px" ? height : minHeight);
    set("contain", "none");
    if (/fixed|absolute/.test(style.position)) {
      set("position", "relative");
      set("inset", "auto");
    }
    if (style.gridTemplateRows !== "none") set("grid-template-rows", "auto");
  }
  return true;
}

/**
 * Paints what is pinned to the window once: what sticks lies where it belongs in the page, what is fixed near the
 * window's bottom moves to the page's end, and what is fixed elsewhere stays at the page's top.
 */
export function unpin(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  const fixed: HTMLElement[] = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const { position } = getComputedStyle(element);
      if (position === "fixed") fixed.push(element);
      if (position !== "sticky") continue;
      element.style.setProperty("position", "relative", "important");
      element.style.setProperty("inset", "auto", "important");
    }
  }
  const { innerHeight } = window;
  const page = document.scrollingElement ?? document.documentElement;
  const below = page.scrollHeight - innerHeight;
  if (below <= 0) return;
  for (const element of fixed) {
    const { top, bottom, height } = element.getBoundingClientRect();
    const isAtBottom = height > 0 && height < innerHeight / 2 && innerHeight - bottom < top;
    if (!isAtBottom) continue;
    const [x = "0px", y = "0px"] = getComputedStyle(element).translate.replace("none", "").split(" ");
    element.style.setProperty("transition", "none", "important");
    element.style.setProperty("translate", `${x || "0px"} calc(${y} + ${below}px)`, "important");
  }
}

/** Shows what is fixed to the window's top, or to its bottom, or neither: for pictures taken window by window. */
export function showPinned(top: boolean, bottom: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>("*")) {
    if (getComputedStyle(element).position !== "fixed") continue;
    const box = element.getBoundingClientRect();
    const isAtBottom = box.height < window.innerHeight / 2 && window.innerHeight - box.bottom < box.top;
    if (isAtBottom ? bottom : top) element.style.removeProperty("visibility");
    else element.style.setProperty("visibility", "hidden", "important");
  }
}
