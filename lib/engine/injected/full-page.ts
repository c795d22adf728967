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
  /** Whether there is a script, without which a page brings nothing more at its end. */
  readonly canGrow: boolean;
}

/**
 * Scrolls on by `by` pixels, 0.95 of the view unless told: the page, or the largest part of it that scrolls where the
 * page itself does not. What waits to be near the view (`loading=lazy`, `content-visibility`) no longer does.
 */
export async function scrollByStep(
  by: number | null,
  innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null,
  shownPinned: () => Set<Element>,
  nextFrame: () => Promise<void>,
): Promise<ScrollStep> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const lazy of root.querySelectorAll("img[loading=lazy], iframe[loading=lazy]")) {
      lazy.setAttribute("loading", "eager");
    }
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) roots.push(shadowRoot);
  }
  // Kept for `scrollToTop`, as it was before the first step.
  if (!("pinnedAtFirst" in globalThis)) Object.assign(globalThis, { pinnedAtFirst: shownPinned() });
  const inner = innerScroller(roots);
  const scroller = inner ?? document.scrollingElement ?? document.documentElement;
  const view = inner ? inner.clientHeight : window.innerHeight;
  const before = scroller.scrollTop;
  scroller.scrollTo({ top: before + (by ?? Math.max(1, Math.floor(view * 0.95))), behavior: "instant" });
  await nextFrame();
  return {
    moved: scroller.scrollTop > before,
    position: scroller.scrollTop + view,
    height: scroller.scrollHeight,
    canGrow: document.querySelector("script") !== null,
  };
}

/**
 * Waits until a frame has been painted. Of no use where scripts are disabled, as nobody is told of frames there, nor before
 * the style sheets that a page begins with have come: the frame that is asked for then never ends.
 */
export function framePainted(): Promise<void> {
  // The second one is asked for when the first one has been.
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/**
 * Waits until observers have been told what they noticed in the next frame; for 250 ms while the page is too busy for
 * frames. Goes along to other scripts.
 */
export async function nextFrame(): Promise<void> {
  const told = new Promise<void>((resolve) => {
    // All observers of a page are told in one task.
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      setTimeout(resolve);
    });
    observer.observe(document.documentElement);
  });
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 250))]);
}

/**
 * The part of the page that scrolls in its stead, if there is one: the largest of those that fill most of the window,
 * where the page itself has nothing more to show, or less. Goes along to other scripts of this file.
 */
export function innerScroller(roots: (Document | ShadowRoot)[]): HTMLElement | null {
  const page = document.scrollingElement ?? document.documentElement;
  const isLocked = /hidden|clip/.test(getComputedStyle(page).overflowY);
  const below = isLocked ? 0 : page.scrollHeight - window.innerHeight;
  // A page can be a little taller than its window by accident.
  if (below > 0.25 * window.innerHeight) return null;
  const area = (element: Element) => element.clientHeight * element.clientWidth;
  let scroller: HTMLElement | null = null;
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element === page || element.scrollHeight <= element.clientHeight + Math.max(1, below)) continue;
      if (area(element) <= 0.3 * window.innerHeight * window.innerWidth) continue;
      if (!/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
      if (!scroller || area(element) > area(scroller)) scroller = element;
    }
  }
  return scroller;
}

/**
 * Back to the top, of the page and of what scrolls within it. What is pinned to the window and has only appeared with
 * the scroll, such as a button that leads to the top, is given at most `capMs` to fade away.
 */
export async function scrollToTop(
  shownPinned: () => Set<Element>,
  nextFrame: () => Promise<void>,
  capMs: number,
): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const isLarge = element.clientHeight * element.clientWidth > 0.3 * window.innerHeight * window.innerWidth;
      if (isLarge && element.scrollTop > 0) element.scrollTo({ top: 0, behavior: "instant" });
    }
  }
  window.scrollTo({ top: 0, left: 0, behavior: "instant" });
  await nextFrame();
  const { pinnedAtFirst } = globalThis as { pinnedAtFirst?: Set<Element> };
  const looks = () =>
    [...shownPinned().difference(pinnedAtFirst ?? new Set())]
      .map((element) => `${getComputedStyle(element).opacity} ${element.getBoundingClientRect().top}`)
      .join();
  const expiry = performance.now() + capMs;
  let [before, still] = [looks(), 0];
  // A page that answers to the scroll only once it has ended does so within about a fifth of a second.
  while (before !== "" && still < 8 && performance.now() < expiry) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const now = looks();
    still = now === before ? still + 1 : 0;
    before = now;
  }
}

/** What is fixed to the window and can be seen. Goes along to other scripts. */
export function visibleFixed(): Set<Element> {
  const shown = [...document.querySelectorAll("*")].filter((element) => {
    const { position, visibility, opacity } = getComputedStyle(element);
    if (position !== "fixed" || visibility !== "visible" || opacity === "0") return false;
    const { width, height, top, bottom } = element.getBoundingClientRect();
    return width > 0 && height > 0 && bottom > 0 && top < window.innerHeight;
  });
  return new Set(shown);
}

/** Scrolls the page to `top` and waits for the frame in which it is noticed. */
export async function scrollToOffset(top: number, nextFrame: () => Promise<void>): Promise<void> {
  window.scrollTo({ top, behavior: "instant" });
  await nextFrame();
}

/**
 * Keeps out of the picture what a page has for visitors without scripts: a tall picture is taken while those of the page
 * rest.
 */
export function dropNoScript(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  const rewrite = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && rule.media.mediaText.includes("scripting")) {
        rule.media.mediaText = rule.media.mediaText
          .replace(/\(scripting: (none|initial-only)\)/g, "(width < 0px)")
          .replace(/\(scripting(: enabled)?\)/g, "(width >= 0px)");
      }
      if (rule instanceof CSSGroupingRule) rewrite(rule.cssRules);
    }
  };
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) roots.push(shadowRoot);
    for (const element of root.querySelectorAll<HTMLElement>("noscript")) {
      element.style.setProperty("display", "none", "important");
    }
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      try {
        rewrite(sheet.cssRules);
      } catch {
        // A style sheet of another origin cannot be read.
      }
    }
  }
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
 * frame is as tall as the window. A page that is only kept from scrolling is let go.
 */
export function expandScroller(
  innerScroller: (roots: (Document | ShadowRoot)[]) => HTMLElement | null,
  unfold: (scroller: HTMLElement) => void,
): void {
  const { body, documentElement: page } = document;
  const isLocked = [body, page].every((each) => each && /hidden|clip/.test(getComputedStyle(each).overflowY));
  const locked = isLocked && body.scrollHeight > body.clientHeight + 1 ? body : null;
  const scroller = innerScroller([document]) ?? locked;
  if (scroller) unfold(scroller);
}

/** Gives a part of the page that scrolls its full height; its ancestors grow with it. Goes along to other scripts. */
export function expandPage(scroller: HTMLElement): void {
  for (let element: HTMLElement | null = scroller; element; element = element.parentElement) {
    const { minHeight, position, gridTemplateRows } = getComputedStyle(element);
    const { left, top, width, height } = element.getBoundingClientRect();
    const { style } = element;
    const set = (property: string, value: string) => style.setProperty(property, value, "important");
    set("transition", "none");
    set("overflow", "visible");
    set("max-height", "none");
    set("height", "auto");
    set("min-height", minHeight === "auto" || minHeight === "0px" ? `${height}px` : minHeight);
    set("contain", "none");
    if (gridTemplateRows !== "none") set("grid-template-rows", "auto");
    if (!/fixed|absolute/.test(position)) continue;
    set("position", "absolute");
    set("inset", "0 auto auto 0");
    set("box-sizing", "border-box");
    set("width", `${width}px`);
    const moved = element.getBoundingClientRect();
    set("inset", `${top - moved.top}px auto auto ${left - moved.left}px`);
  }
}

/**
 * Paints what is pinned to the window once: what sticks lies where it belongs in the page, what is fixed near the
 * window's bottom moves to the page's end, what spans the window from top to bottom (a backdrop, a sidebar) spans the
 * page, and what is fixed elsewhere stays at the page's top.
 */
export function neutraliseFixed(): void {
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
  const { innerWidth, innerHeight } = window;
  const page = document.scrollingElement ?? document.documentElement;
  const below = page.scrollHeight - innerHeight;
  const pinned = new Map<Element, string>();
  for (const element of fixed) {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    const [x = "0px", y = "0px"] = getComputedStyle(element).translate.replace("none", "").split(" ").filter(Boolean);
    const isAtBottom = below > 0 && height > 0 && height < innerHeight / 2 && innerHeight - bottom < top;
    pinned.set(element, `${x} calc(${y} + ${isAtBottom ? below : 0}px`);
    const spans = below > 0 && bottom >= innerHeight - 1 && height > innerHeight / 2 && top < innerHeight / 4;
    // A dialog that fills the window would move to the middle of the page; a drawing would be drawn out.
    const isEmpty = !element.innerText?.trim() && !element.matches("canvas, iframe, :has(canvas, iframe)");
    const style = (property: string, value: string) => element.style.setProperty(property, value, "important");
    if (isAtBottom || spans) style("transition", "none");
    if (isAtBottom) style("translate", `${x} calc(${y} + ${below}px)`);
    if (!spans || (!isEmpty && width > innerWidth / 2)) continue;
    style("box-sizing", "border-box");
    style("max-height", "none");
    style("height", `${height + below}px`);
  }
  Object.assign(globalThis, { pinned });
}

/** Where an element lies on a page that is scrolled to its top, and how it is positioned. */
interface Place {
  readonly position: string;
  readonly left: number;
  readonly top: number;
}

/** Remembers for `movePinned` where everything lies, and how tall the page is, while it is scrolled to its top. */
export function rememberFixedPositions(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  const places = new Map<Element, Place>();
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const { width, height, left, top } = element.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      const { position } = getComputedStyle(element);
      places.set(element, { position, left: left + window.scrollX, top: top + window.scrollY });
    }
  }
  Object.assign(globalThis, {
    places,
    heightAtTop: (document.scrollingElement ?? document.documentElement).scrollHeight,
  });
}

/**
 * Moves what is fixed to where it lies on the page as `unpin` has placed it, now that the page has been scrolled. What has
 * only been fixed since, such as a header, goes back to where `rememberPlaces` found it: into the flow where the page moved
 * up without it, else by a translation. What was not there then is hidden. Both must have come before. Returns whether
 * anything in the flow has moved. For pictures taken window by window.
 */
export function offsetFixed(): boolean {
  const world = globalThis as { pinned?: Map<Element, string>; places?: Map<Element, Place>; heightAtTop?: number };
  const { pinned = new Map(), places = new Map(), heightAtTop = 0 } = world;
  const page = document.scrollingElement ?? document.documentElement;
  const missing = () => heightAtTop - page.scrollHeight;
  const roots: (Document | ShadowRoot)[] = [document];
  let moved = false;
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (getComputedStyle(element).position !== "fixed") continue;
      const style = (property: string, value: string) => element.style.setProperty(property, value, "important");
      const offset = pinned.get(element);
      const place = places.get(element);
      style("transition", "none");
      if (offset !== undefined) style("translate", `${offset} - ${window.scrollY}px)`);
      else if (place === undefined || place.position === "fixed") style("visibility", "hidden");
      else if (missing() > 0 && !/absolute/.test(place.position)) {
        style("animation", "none");
        style("transform", "none");
        style("position", place.position);
        style("inset", "auto");
        // A header may be lower where it is fixed.
        const margin = Number.parseFloat(getComputedStyle(element).marginBottom) || 0;
        if (missing() !== 0) style("margin-bottom", `${margin + missing()}px`);
        moved = true;
      } else {
        style("animation", "none");
        style("translate", "none");
        const { left, top } = element.getBoundingClientRect();
        style("translate", `${place.left - window.scrollX - left}px ${place.top - window.scrollY - top}px`);
      }
    }
  }
  return moved;
}
