/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Restores scrolling, and removes the blur, of a page that an overlay had locked.
import { elementName, isShown, viewport, windowShare } from "../dom/appearance.ts";
import { documentBody } from "../dom/document.ts";
import { readProperty } from "../dom/read-property.ts";
import { elementsIn } from "../dom/tree.ts";

const MAX_ELEMENTS = 20_000;
const MAX_WRAPPERS = 200;

/**
 * Acts when an overlay was closed, or when a hidden consent banner has left the page locked. An application that fits
 * into the window, or scrolls inside, is left as it is. Returns true when something was restored.
 */
export function restoreScroll({
  hasClosed,
  consentNames,
}: {
  readonly hasClosed: boolean;
  readonly consentNames: string;
}): boolean {
  const [root, body] = [document.documentElement, documentBody()];
  if (!body || (!hasClosed && !isLockedByHiddenBanner(root, body, consentNames))) return false;
  const isTaller = Math.max(root.scrollHeight, body.scrollHeight) > viewport(root).height + 1;
  const canRelease = isTaller && !hasInnerScroller(body);
  const scrollTop = isFixed(body) && isTaller ? releaseFixedBody(body) : undefined;
  const isUnclipped = canRelease && releaseOverflow(root, body, scrollTop !== undefined);
  for (const element of [root, body]) {
    if (getComputedStyle(element).touchAction === "none") setStyles(element, { "touch-action": "auto" });
  }
  const wasBlurred = releaseWrappers(root, body);
  if (scrollTop !== undefined && scrollTop > 0) window.scrollTo({ top: scrollTop, behavior: "instant" });
  return scrollTop !== undefined || isUnclipped || wasBlurred;
}

/** True when the page cannot scroll, and a fixed consent banner is hidden while nothing large covers the page. */
function isLockedByHiddenBanner(root: HTMLElement, body: HTMLElement, consentNames: string): boolean {
  if (!isClipped(root) && !isClipped(body) && !isFixed(body)) return false;
  const pattern = new RegExp(consentNames);
  const isHiddenBanner = (element: Element) =>
    pattern.test(elementName(element)) && getComputedStyle(element).display === "none" && isFixed(element);
  const isCovering = (element: Element) => windowShare(element) > 0.3 && isFixed(element) && isShown(element);
  const elements = elementsIn(body, MAX_ELEMENTS);
  return elements.some(isHiddenBanner) && !elements.some(isCovering);
}

/** Returns the offset the page had been scrolled to: pages for iOS lock a scrolled body by a fixed position. */
function releaseFixedBody(body: HTMLElement): number {
  const scrollTop = -Number.parseFloat(getComputedStyle(body).top) || 0;
  setStyles(body, { position: "static", top: "auto", width: "auto" });
  return scrollTop;
}

/** Returns true when the overflow of the page was hidden. */
function releaseOverflow(root: HTMLElement, body: HTMLElement, wasFixed: boolean): boolean {
  const clipped = [root, body].filter(isClipped);
  for (const element of clipped) setStyles(element, { "overflow-y": "visible" });
  if (clipped.length === 0 && !wasFixed) return false;
  const { overflowY } = getComputedStyle(body);
  if (/auto|scroll/.test(overflowY) && body.scrollHeight > body.clientHeight + 1) {
    setStyles(body, { height: "auto", "max-height": "none" });
  }
  for (const element of [root, body]) {
    if (element.style.paddingRight !== "") element.style.removeProperty("padding-right");
  }
  return clipped.length > 0;
}

/** Removes blur and inertness from the page and the elements that most of it is in. Returns true when it was blurred. */
function releaseWrappers(root: HTMLElement, body: HTMLElement): boolean {
  let wasBlurred = false;
  for (const wrapper of findWrappers(root, body)) {
    const { filter, pointerEvents } = getComputedStyle(wrapper);
    if (/blur\(/.test(filter)) {
      setStyles(wrapper, { filter: "none", transition: "none" });
      wasBlurred = true;
    }
    if (pointerEvents === "none") setStyles(wrapper, { "pointer-events": "auto" });
    if (wrapper.hasAttribute("inert")) wrapper.removeAttribute("inert");
    if (wrapper.getAttribute("aria-hidden") === "true") wrapper.removeAttribute("aria-hidden");
  }
  return wasBlurred;
}

function findWrappers(root: HTMLElement, body: HTMLElement): HTMLElement[] {
  const { width } = viewport(root);
  const wrappers = [root, body];
  for (const wrapper of wrappers) {
    if (wrapper === root || wrappers.length > MAX_WRAPPERS) continue;
    for (const child of readProperty(Element.prototype, "children", wrapper) as HTMLCollectionOf<HTMLElement>) {
      if (child.getBoundingClientRect().width > 0.5 * width && windowShare(child) > 0.01) wrappers.push(child);
    }
  }
  return wrappers;
}

function hasInnerScroller(body: HTMLElement): boolean {
  const { width, height } = viewport(body);
  return elementsIn(body, MAX_ELEMENTS).some(
    (element) =>
      element !== body &&
      /auto|scroll/.test(getComputedStyle(element).overflowY) &&
      element.scrollHeight > element.clientHeight + 1 &&
      element.clientWidth * element.clientHeight > 0.5 * width * height,
  );
}

function isClipped(element: Element): boolean {
  return /hidden|clip/.test(getComputedStyle(element).overflowY);
}

function isFixed(element: Element): boolean {
  return getComputedStyle(element).position === "fixed";
}

function setStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  for (const [property, value] of Object.entries(styles)) element.style.setProperty(property, value, "important");
}
