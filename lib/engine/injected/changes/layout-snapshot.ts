/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// A snapshot of the layout: where the boxes of a page are, and how much of their text and images a visitor can see.
import { ownText } from "../dom/appearance.ts";
import { containsFixedBoxes } from "../dom/containing-block.ts";
import { documentElement, scrollingElement } from "../dom/document.ts";
import { readProperty } from "../dom/read-property.ts";
import { openShadowRoot } from "../dom/shadow-roots.ts";
import { parentElement } from "../dom/tree.ts";

/** A box in CSS pixels of the page, that is, of the window when it is scrolled to the top. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The part of the box that its ancestors do not clip, in square pixels; 0 for an element that is not visible. */
  readonly seen: number;
  /** True for an element with text of its own, and for an image or control. */
  readonly hasContent: boolean;
}

export interface LayoutSnapshot {
  readonly boxes: ReadonlyMap<Element, Box>;
  /** Size of the page with all that it can be scrolled to. */
  readonly width: number;
  readonly height: number;
}

/** All elements are measured up to this number, a sample above it. */
const MAX_MEASURED = 20_000;

const REPLACED = /^(img|svg|canvas|video|iframe|frame|object|embed|input|textarea|select|button|math|hr)$/i;

let hasSampled = false;

/** Whether a page had so many elements that only a sample of them was measured. */
export function isSampled(): boolean {
  return hasSampled;
}

export function takeSnapshot(): LayoutSnapshot {
  const elements = allElements();
  const step = Math.ceil(elements.length / MAX_MEASURED);
  const clipping = new Clipping();
  const boxes = new Map<Element, Box>();
  for (let index = 0; index < elements.length; index += step) {
    const element = elements[index] as Element;
    boxes.set(element, measure(element, clipping));
  }
  const { scrollWidth: width, scrollHeight: height } = scrollingElement();
  hasSampled ||= step > 1;
  return { boxes, width, height };
}

/** The elements of the document and its open shadow roots, in document order. */
function allElements(): Element[] {
  const root = documentElement();
  const found: Element[] = [];
  const stack: Element[] = root ? [root] : [];
  for (let element = stack.pop(); element; element = stack.pop()) {
    found.push(element);
    const children = [...readProperty(Element.prototype, "children", element)];
    const shadowRoot = openShadowRoot(element);
    if (shadowRoot) children.unshift(...readProperty(DocumentFragment.prototype, "children", shadowRoot));
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index] as Element);
  }
  return found;
}

function measure(element: Element, clipping: Clipping): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  const place = { left: left + window.scrollX, top: top + window.scrollY, width, height };
  const hasContent = REPLACED.test(element.localName) || ownText(element) !== "";
  if (!hasContent && (width === 0 || height === 0)) return { ...place, seen: 0, hasContent };
  const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (!isVisible) return { ...place, seen: 0, hasContent };
  // Text can be outside of its element, as in one without height.
  const shown = hasContent && (width === 0 || height === 0) ? textBox(element) : { left, top, width, height };
  return { ...place, seen: area(clipping.around(element), shown), hasContent };
}

function textBox(element: Element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const UNBOUNDED: Edges = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };
const NOTHING: Edges = { left: 0, top: 0, right: 0, bottom: 0 };

function area(clip: Edges, { left, top, width, height }: Rectangle): number {
  const across = Math.min(clip.right, left + width) - Math.max(clip.left, left);
  const down = Math.min(clip.bottom, top + height) - Math.max(clip.top, top);
  return across > 0 && down > 0 ? across * down : 0;
}

/** The clips that apply to what is inside an element, by the position of what they clip. */
interface Clips {
  readonly flow: Edges;
  readonly absolute: Edges;
  readonly fixed: Edges;
}

/**
 * Computes what ancestors clip, in pixels of the window. Content that can be scrolled to counts as not clipped. The page
 * itself clips nothing.
 */
class Clipping {
  readonly #inside = new Map<Element, Clips>();

  /** The clip of an element's own box. */
  around(element: Element): Edges {
    const parent = parentElement(element);
    if (!parent) return UNBOUNDED;
    return ownClip(this.#clipsInside(parent), getComputedStyle(element).position);
  }

  #clipsInside(element: Element): Clips {
    const known = this.#inside.get(element);
    if (known) return known;
    const parent = parentElement(element);
    const outer = parent ? this.#clipsInside(parent) : { flow: UNBOUNDED, absolute: UNBOUNDED, fixed: UNBOUNDED };
    const clips = this.#narrow(element, outer);
    this.#inside.set(element, clips);
    return clips;
  }

  #narrow(element: Element, outer: Clips): Clips {
    const style = getComputedStyle(element);
    const { overflowX, overflowY, position } = style;
    const isClipping =
      !isPage(element) && (overflowX !== "visible" || overflowY !== "visible" || hasPaintContainment(style));
    const own = ownClip(outer, position);
    if (!isClipping && own === outer.flow && own === outer.absolute && own === outer.fixed) return outer;
    const flow = isClipping ? clipTo(element, style, own) : own;
    const containsFixed = style.display !== "inline" && containsFixedBoxes(style);
    return {
      flow,
      absolute: containsFixed || position !== "static" ? flow : outer.absolute,
      fixed: containsFixed ? flow : outer.fixed,
    };
  }
}

/** The root element, and a body whose overflow is that of the window, because the root element has none of its own. */
function isPage(element: Element): boolean {
  if (element.localName !== "body") return element.localName === "html";
  const root = documentElement();
  return root !== null && parentElement(element) === root && getComputedStyle(root).overflow === "visible";
}

function ownClip(outer: Clips, position: string): Edges {
  return position === "fixed" ? outer.fixed : position === "absolute" ? outer.absolute : outer.flow;
}

function hasPaintContainment({ contain }: CSSStyleDeclaration): boolean {
  return contain !== "none" && /paint|content|strict/.test(contain);
}

function clipTo(element: Element, style: CSSStyleDeclaration, outer: Edges): Edges {
  const box = element.getBoundingClientRect();
  if (area(outer, box) === 0 && box.width > 0 && box.height > 0) return NOTHING;
  const isPainted = hasPaintContainment(style);
  const along = (overflow: string, from: number, to: number, [outerFrom, outerTo]: [number, number]) => {
    if (/auto|scroll/.test(overflow)) return to > from ? ([-1e9, 1e9] as const) : ([0, 0] as const);
    if (overflow === "visible" && !isPainted) return [outerFrom, outerTo] as const;
    return [Math.max(from, outerFrom), Math.min(to, outerTo)] as const;
  };
  const [left, right] = along(style.overflowX, box.left, box.right, [outer.left, outer.right]);
  const [top, bottom] = along(style.overflowY, box.top, box.bottom, [outer.top, outer.bottom]);
  return { left, top, right, bottom };
}
