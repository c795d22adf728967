/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Fixed and sticky elements in a picture of the whole page: each is painted once, where it belongs.
import { scrollingElement } from "./dom/document.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";

/** The `translate` property of each fixed element, without its closing bracket, as `neutraliseFixed` set it. */
let translations = new Map<Element, string>();

/**
 * Sticky elements return to their place in the flow. Fixed elements near the window's bottom move to the end of the page,
 * those that span the window's height, such as a backdrop or a sidebar, span the page, and all others stay at its top.
 */
export function neutraliseFixed(): void {
  const fixed: HTMLElement[] = [];
  for (const element of queryAllRoots("*")) {
    const { position } = getComputedStyle(element);
    if (position === "fixed") fixed.push(element);
    if (position !== "sticky") continue;
    element.style.setProperty("position", "relative", "important");
    element.style.setProperty("inset", "auto", "important");
  }
  const { innerWidth, innerHeight } = window;
  const below = scrollingElement().scrollHeight - innerHeight;
  translations = new Map();
  for (const element of fixed) {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    const [x = "0px", y = "0px"] = getComputedStyle(element).translate.replace("none", "").split(" ").filter(Boolean);
    const isAtBottom = below > 0 && height > 0 && height < innerHeight / 2 && innerHeight - bottom < top;
    translations.set(element, `${x} calc(${y} + ${isAtBottom ? below : 0}px`);
    const spans = below > 0 && bottom >= innerHeight - 1 && height > innerHeight / 2 && top < innerHeight / 4;
    // A dialog that fills the window would move to the middle of the page; a canvas would be stretched.
    const isEmpty = !element.innerText?.trim() && !element.matches("canvas, iframe, :has(canvas, iframe)");
    const style = (property: string, value: string) => element.style.setProperty(property, value, "important");
    if (isAtBottom || spans) style("transition", "none");
    if (isAtBottom) style("translate", `${x} calc(${y} + ${below}px)`);
    if (!spans || (!isEmpty && width > innerWidth / 2)) continue;
    style("box-sizing", "border-box");
    style("max-height", "none");
    style("height", `${height + below}px`);
  }
}

/** The position of an element on a page that is scrolled to its top. */
interface Place {
  readonly position: string;
  readonly left: number;
  readonly top: number;
}

let fixedPositions = new Map<Element, Place>();
let heightAtTop = 0;

/** Records the positions of all elements, and the page's height, for `offsetFixed`. The page must be at its top. */
export function rememberFixedPositions(): void {
  fixedPositions = new Map();
  for (const element of queryAllRoots("*")) {
    const { width, height, left, top } = element.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const { position } = getComputedStyle(element);
    fixedPositions.set(element, { position, left: left + window.scrollX, top: top + window.scrollY });
  }
  heightAtTop = scrollingElement().scrollHeight;
}

/**
 * Moves fixed elements of a scrolled page to where `neutraliseFixed` placed them on the page, for pictures taken section
 * by section. An element that has only become fixed since, such as a header, returns to where `rememberFixedPositions`
 * found it: into the flow if the page moved up without it, else by a translation. One that was not there then is hidden.
 * Returns true when the flow has changed.
 */
export function offsetFixed(): boolean {
  const page = scrollingElement();
  const missing = () => heightAtTop - page.scrollHeight;
  let hasFlowChanged = false;
  for (const element of queryAllRoots("*")) {
    if (getComputedStyle(element).position !== "fixed") continue;
    const style = (property: string, value: string) => element.style.setProperty(property, value, "important");
    const translation = translations.get(element);
    const place = fixedPositions.get(element);
    style("transition", "none");
    if (translation !== undefined) style("translate", `${translation} - ${window.scrollY}px)`);
    else if (place === undefined || place.position === "fixed") style("visibility", "hidden");
    else if (missing() > 0 && !/absolute/.test(place.position)) {
      style("animation", "none");
      style("transform", "none");
      style("position", place.position);
      style("inset", "auto");
      // A header may be lower while it is fixed.
      const margin = Number.parseFloat(getComputedStyle(element).marginBottom) || 0;
      if (missing() !== 0) style("margin-bottom", `${margin + missing()}px`);
      hasFlowChanged = true;
    } else {
      style("animation", "none");
      style("translate", "none");
      const { left, top } = element.getBoundingClientRect();
      style("translate", `${place.left - window.scrollX - left}px ${place.top - window.scrollY - top}px`);
    }
  }
  return hasFlowChanged;
}
