/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Fixed and sticky elements in a picture of the whole page: each is painted once, where it belongs.
import { Journal } from "./changes/journal.ts";
import { isSampled } from "./changes/layout-snapshot.ts";
import { isNear, type MeasuredChange, tryEachChange } from "./changes/measured-change.ts";
import { describeElement } from "./dom/appearance.ts";
import { scrollingElement } from "./dom/document.ts";
import { isFixedToWindow, isStickyToWindow, noteFlowing } from "./dom/fixed-position.ts";
import { findPseudoElements, type PseudoElement, stylePseudoElements } from "./dom/pseudo-elements.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";
import { contains, parentElement } from "./dom/tree.ts";
import { sidesOfWindow } from "./dom/window-sides.ts";

/** Where a fixed box belongs on the page: at its top, at its end, or along all of it. */
type Placement = "start" | "end" | "along";

/** A box in pixels of the window. */
type Rectangle = Pick<DOMRect, "left" | "top" | "right" | "bottom" | "width" | "height">;

/** A fixed element or pseudo-element, as it was before `neutraliseFixed` moved it. */
interface FixedBox {
  readonly placement: Placement;
  readonly rectangle: Rectangle;
  /** Pixels of the window per pixel of its own styles (CSS zoom). */
  readonly zoom: number;
  /** Its `padding-bottom`, in pixels of its own styles. */
  readonly paddingBottom: number;
  /** Its own `translate`. */
  readonly translate: { readonly x: string; readonly y: string };
  /** The distance that it moves down, in pixels of the window. */
  offset: number;
}

interface FixedElement extends FixedBox {
  readonly element: Element;
  /** Its used `top` where it cannot be translated, because fixed elements in it would no longer be those of the window. */
  readonly top: number | undefined;
}

interface FixedPseudoElement extends FixedBox {
  readonly pseudoElement: PseudoElement;
}

let fixedElements = new Map<Element, FixedElement>();
let fixedPseudoElements: readonly FixedPseudoElement[] = [];
let journals: readonly Journal[] = [];
const offsetJournal = new Journal();

/**
 * Elements that stick to the window return to their place in the flow. Fixed elements near the window's bottom move to the end of the page,
 * those that span the window's height, such as a backdrop or a sidebar, span the page, and all others stay at its top. So
 * do pseudo-elements. Returns the elements for which that would have changed something else on the page, as selectors, and
 * whether the page has too many elements to measure all of them.
 */
export function neutraliseFixed(): { readonly refused: readonly string[]; readonly isSampled: boolean } {
  for (const journal of [offsetJournal, ...[...journals].reverse()]) journal.revert(); // for a picture that is taken again
  const sticky: Element[] = [];
  const fixed: Element[] = [];
  for (const element of queryAllRoots<Element>("*")) {
    const { position } = getComputedStyle(element);
    if (position === "sticky" && isStickyToWindow(element)) sticky.push(element);
    else if (position === "fixed" && isFixedToWindow(element)) fixed.push(element);
  }
  const released = tryEachChange(sticky, releaseSticky);
  const below = sidesOfWindow().bottom ? 0 : scrollingElement().scrollHeight - window.innerHeight;
  const boxes = fixed.map((element) => measureFixed(element, below, fixed));
  const moving = boxes.filter(({ placement }) => placement !== "start");
  const asContent = tryEachChange(moving, (part) => moveToPlace(part, below), released.layout);
  const moved = tryEachChange(asContent.refused, (part) => moveToPlace(part, below, "padding"), asContent.layout);
  fixedPseudoElements = findFixedPseudoElements(below);
  const movingPseudo = fixedPseudoElements.filter(({ placement }) => placement !== "start");
  const layout = moved.layout ?? asContent.layout ?? released.layout;
  const movedPseudo = tryEachChange(movingPseudo, (part) => movePseudoToPlace(part, below), layout);
  for (const box of [...moved.refused, ...movedPseudo.refused]) box.offset = 0;
  fixedElements = new Map(boxes.map((box) => [box.element, box]));
  journals = [...released.journals, ...asContent.journals, ...moved.journals, ...movedPseudo.journals];
  const refused = [...released.refused, ...moved.refused.map(({ element }) => element)].map(describeElement);
  return { refused, isSampled: isSampled() };
}

function releaseSticky(sticky: readonly Element[]): MeasuredChange {
  const released = new Set(sticky);
  return {
    apply: (journal) => {
      for (const element of sticky) journal.setStyle(element, { position: "relative", inset: "auto" });
    },
    hasWorked: () => sticky.every((element) => getComputedStyle(element).position === "relative"),
    explains: ({ element }) => closest(element, released) !== undefined,
    mayGrowPage: false,
    detail: "boxes",
  };
}

function measureFixed(element: Element, below: number, fixed: readonly Element[]): FixedElement {
  const rectangle = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  // A dialog that fills the window would move to the middle of the page; a canvas would be stretched.
  const isEmpty =
    !(element instanceof HTMLElement && element.innerText?.trim()) &&
    !element.matches("canvas, iframe, :has(canvas, iframe)");
  const placement = placeOf(rectangle, { below, isEmpty });
  const hasFixed = placement === "end" && fixed.some((each) => each !== element && contains(element, each));
  const top = hasFixed ? Number.parseFloat(style.top) : undefined;
  return { element, top, ...fixedBox(style, rectangle, { placement, below, zoom: element.currentCSSZoom }) };
}

function fixedBox(
  style: CSSStyleDeclaration,
  rectangle: Rectangle,
  { placement, below, zoom }: { placement: Placement; below: number; zoom: number },
): FixedBox {
  const [x = "0px", y = "0px"] = style.translate.replace("none", "").split(" ").filter(Boolean);
  const paddingBottom = Number.parseFloat(style.paddingBottom) || 0;
  return { placement, rectangle, zoom, paddingBottom, translate: { x, y }, offset: placement === "end" ? below : 0 };
}

function placeOf(
  { left, top, right, bottom, width, height }: Rectangle,
  { below, isEmpty }: { readonly below: number; readonly isEmpty: boolean },
): Placement {
  const { innerWidth, innerHeight } = window;
  if (below <= 0 || height <= 0) return "start";
  if (top >= innerHeight) return "end"; // waits below the window, and must not appear in the middle of the page
  const isOutside = right <= 0 || bottom <= 0 || left >= innerWidth;
  if (isOutside) return "start";
  if (height < innerHeight / 2 && innerHeight - bottom < top) return "end";
  const spans = bottom >= innerHeight - 1 && height > innerHeight / 2 && top < innerHeight / 4;
  return spans && (isEmpty || width <= innerWidth / 2) ? "along" : "start";
}

/** The styles that bring a box to its place on a page that is scrolled down by `scrolled` pixels. */
function placingStyles(box: FixedBox & { readonly top?: number | undefined }, scrolled = 0): Record<string, string> {
  const { translate, top, zoom, offset } = box;
  const distance = (offset - scrolled) / zoom;
  if (top !== undefined) return { transition: "none", top: `${top + distance}px`, bottom: "auto" };
  return { transition: "none", translate: `${translate.x} calc(${translate.y} + ${distance}px)` };
}

/** What becomes taller when a box spans the page: its content, such as a list between its ends, or the padding below it. */
type Stretched = "content" | "padding";

function stretchingStyles(box: FixedBox, below: number, stretched: Stretched = "content"): Record<string, string> {
  const { rectangle, zoom, paddingBottom } = box;
  const height = `${(rectangle.height + below) / zoom}px`;
  const styles = { transition: "none", "box-sizing": "border-box", "max-height": "none", height };
  return stretched === "content" ? styles : { ...styles, "padding-bottom": `${paddingBottom + below / zoom}px` };
}

function moveToPlace(boxes: readonly FixedElement[], below: number, stretched: Stretched = "content"): MeasuredChange {
  const byElement = new Map(boxes.map((box) => [box.element, box]));
  return {
    apply: (journal) => {
      for (const box of boxes) {
        const isAlong = box.placement === "along";
        journal.setStyle(box.element, isAlong ? stretchingStyles(box, below, stretched) : placingStyles(box));
      }
    },
    hasWorked: () =>
      boxes.every(({ element, rectangle, placement }) => {
        const { top, height } = element.getBoundingClientRect();
        if (placement === "along") return isNear(top, rectangle.top) && isNear(height, rectangle.height + below);
        return isNear(top, rectangle.top + below) && isNear(height, rectangle.height);
      }),
    explains: ({ element, before, after }) => {
      const box = closest(element, byElement);
      if (!box) return false;
      const isAtEnd = isNear(before.top + below, after.top);
      // What is in the middle of the box would move to the middle of the page.
      if (byElement.get(box)?.placement === "along") return isNear(before.top, after.top) || isAtEnd;
      const isSameSize = isNear(before.width, after.width) && isNear(before.height, after.height);
      return isSameSize && isNear(before.left, after.left) && isAtEnd;
    },
    mayGrowPage: false,
    detail: "boxes",
  };
}

/** The fixed `::before`, `::after` and `::backdrop` that are fixed to the window. */
function findFixedPseudoElements(below: number): FixedPseudoElement[] {
  const found: FixedPseudoElement[] = [];
  for (const pseudoElement of findPseudoElements(({ position }) => position === "fixed")) {
    const { element, name } = pseudoElement;
    const style = getComputedStyle(element, name);
    const zoom = element.currentCSSZoom;
    const rectangle = windowRectangle(style, zoom);
    if (!rectangle) continue;
    const isEmpty = name === "::backdrop" || /^("\s*"|""|url\(.*\))$/.test(style.content);
    const placement = placeOf(rectangle, { below, isEmpty });
    found.push({ pseudoElement, ...fixedBox(style, rectangle, { placement, below, zoom }) });
  }
  return found;
}

/** CSS pixels. */
const MAX_SCROLLBAR = 20;

/** The box of a fixed pseudo-element; undefined when its used insets and sizes do not add up to the window's. */
function windowRectangle(style: CSSStyleDeclaration, zoom: number): Rectangle | undefined {
  const sum = (...names: string[]) =>
    zoom * names.reduce((total, name) => total + (Number.parseFloat(style.getPropertyValue(name)) || 0), 0);
  const isBorderBox = style.boxSizing === "border-box";
  const size = (name: string, ...sides: string[]) =>
    sum(name) + (isBorderBox ? 0 : sum(...sides.flatMap((side) => [`padding-${side}`, `border-${side}-width`])));
  const [width, height] = [size("width", "left", "right"), size("height", "top", "bottom")];
  const across = sum("left", "margin-left") + width + sum("margin-right", "right");
  const down = sum("top", "margin-top") + height + sum("margin-bottom", "bottom");
  const isOfWindow = Math.abs(down - window.innerHeight) <= 2 && Math.abs(across - window.innerWidth) <= MAX_SCROLLBAR;
  if (!isOfWindow) return undefined;
  const [left, top] = [sum("left", "margin-left"), sum("top", "margin-top")];
  return { left, top, right: left + width, bottom: top + height, width, height };
}

function movePseudoToPlace(boxes: readonly FixedPseudoElement[], below: number): MeasuredChange {
  return {
    apply: (journal) => {
      const styles = boxes.map((box) => {
        const isAlong = box.placement === "along";
        return [box.pseudoElement, isAlong ? stretchingStyles(box, below) : placingStyles(box)] as const;
      });
      stylePseudoElements(journal, new Map(styles));
    },
    hasWorked: () =>
      boxes.every(({ pseudoElement: { element, name }, placement, rectangle, zoom }) => {
        const { height } = getComputedStyle(element, name);
        return placement === "end" || isNear(Number.parseFloat(height) * zoom, rectangle.height + below);
      }),
    explains: () => false,
    mayGrowPage: false,
    detail: "boxes",
  };
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
 * Moves fixed elements of a scrolled page to where `neutraliseFixed` placed them on the page, for a picture of all of it while the pointer
 * keeps the page scrolled. An element that has only become fixed since, such as a header, returns to where `rememberFixedPositions` found
 * it: into the flow if the page moved up without it, else by a translation. One that was not there then is hidden. Fixed elements that
 * move with the page stay as they are.
 */
export function offsetFixed(): void {
  const page = scrollingElement();
  const { scrollX, scrollY } = window;
  const missing = () => heightAtTop - page.scrollHeight;
  for (const element of queryAllRoots<Element>("*")) {
    if (getComputedStyle(element).position !== "fixed") continue;
    const style = (declarations: Record<string, string>) => offsetJournal.setStyle(element, declarations);
    const box = fixedElements.get(element);
    const place = fixedPositions.get(element);
    if (place?.position === "fixed" && isFlowing(element, place)) continue;
    if (box) style(placingStyles(box, scrollY));
    else if (place === undefined || place.position === "fixed") style({ transition: "none", visibility: "hidden" });
    else if (missing() > 0 && !/absolute/.test(place.position)) {
      style({ transition: "none", animation: "none", transform: "none", position: place.position, inset: "auto" });
      // A header may be lower while it is fixed.
      const margin = Number.parseFloat(getComputedStyle(element).marginBottom) || 0;
      if (missing() !== 0) style({ "margin-bottom": `${margin + missing() / element.currentCSSZoom}px` });
    } else {
      style({ transition: "none", animation: "none", translate: "none" });
      const { left, top } = element.getBoundingClientRect();
      const [x, y] = [place.left - scrollX - left, place.top - scrollY - top];
      const zoom = element.currentCSSZoom;
      style({ translate: `${x / zoom}px ${y / zoom}px` });
    }
  }
  const placed = fixedPseudoElements.map((box) => [box.pseudoElement, placingStyles(box, scrollY)] as const);
  stylePseudoElements(offsetJournal, new Map(placed));
}

/** Whether a fixed element is where it was on the page, although the page is scrolled. */
function isFlowing(element: Element, place: Place): boolean {
  const { top } = element.getBoundingClientRect();
  if (window.scrollY > 2 && isNear(top + window.scrollY, place.top)) noteFlowing(element);
  return !isFixedToWindow(element);
}

/** The element itself or the nearest one around it that is among `elements`. */
function closest(element: Element, elements: { has(element: Element): boolean }): Element | undefined {
  for (let each: Element | null = element; each; each = parentElement(each)) if (elements.has(each)) return each;
  return undefined;
}
