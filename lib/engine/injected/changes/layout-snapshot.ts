/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// A snapshot of the layout: where the boxes of a page are, and how much of their text and images a visitor can see.
import { containsFixedBoxes } from "../dom/containing-block.ts";
import { documentElement, scrollingElement } from "../dom/document.ts";
import { readProperty } from "../dom/read-property.ts";
import { openRoots, queryAll, type Root } from "../dom/shadow-roots.ts";
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

const REPLACED = new Set(
  "img svg canvas video iframe frame object embed input textarea select button math hr".split(" "),
);

let hasSampled = false;

/** Whether a page had so many elements that only a sample of them was measured. */
export function isSampled(): boolean {
  return hasSampled;
}

/**
 * Measures the page: all of it (`content`, about 3 µs for each element), or the boxes alone (`boxes`, 1 µs), as if they
 * had no content and nothing clipped them.
 */
export function takeSnapshot(detail: Detail = "content"): LayoutSnapshot {
  const roots = openRoots();
  const elements = roots.flatMap((root) => [...queryAll(root, "*")]);
  const step = Math.ceil(elements.length / MAX_MEASURED);
  const boxes = new Map<Element, Box>();
  const seenPart = detail === "boxes" ? undefined : contentMeasurement(roots);
  const { scrollX, scrollY } = window;
  for (let index = 0; index < elements.length; index += step) {
    const element = elements[index] as Element;
    const box = element.getBoundingClientRect();
    const { left, top, width, height } = box;
    const { seen, hasContent } = seenPart?.(element, box) ?? { seen: width * height, hasContent: false };
    boxes.set(element, { left: left + scrollX, top: top + scrollY, width, height, seen, hasContent });
  }
  hasSampled ||= step > 1;
  const { scrollWidth: width, scrollHeight: height } = scrollingElement();
  return { boxes, width, height };
}

export type Detail = "content" | "boxes";

function contentMeasurement(
  roots: readonly Root[],
): (element: Element, box: DOMRect) => Pick<Box, "seen" | "hasContent"> {
  const [texts, clipping] = [elementsWithText(roots), new Clipping()];
  return (element, box) => {
    const hasSize = box.width > 0 && box.height > 0;
    const hasContent = texts.has(element) || REPLACED.has(element.localName);
    if (!(hasContent || hasSize) || !element.checkVisibility(VISIBLE)) return { seen: 0, hasContent };
    // Text can be outside of its element, as in one without height.
    return { seen: area(clipping.around(element), hasSize ? box : textBox(element)), hasContent };
  };
}

const VISIBLE: CheckVisibilityOptions = { opacityProperty: true, visibilityProperty: true };

const WITHOUT_TEXT = new Set(["script", "style", "template", "noscript", "option"]);

/** The elements that have text of their own. */
function elementsWithText(roots: readonly Root[]): Set<Element> {
  const found = new Set<Element>();
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = readProperty(Node.prototype, "parentElement", node);
      if (parent && !found.has(parent) && /\S/.test(node.nodeValue ?? "") && !WITHOUT_TEXT.has(parent.localName)) {
        found.add(parent);
      }
    }
  }
  return found;
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
  /** True when one clip applies regardless of the position. */
  readonly isSame: boolean;
}

const WITHOUT_CLIPS: Clips = { flow: UNBOUNDED, absolute: UNBOUNDED, fixed: UNBOUNDED, isSame: true };

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
    const clips = this.#clipsInside(parent);
    return clips.isSame ? clips.flow : ownClip(clips, getComputedStyle(element).position);
  }

  #clipsInside(element: Element): Clips {
    const known = this.#inside.get(element);
    if (known) return known;
    const parent = parentElement(element);
    const outer = parent ? this.#clipsInside(parent) : WITHOUT_CLIPS;
    const clips = this.#narrow(element, outer);
    this.#inside.set(element, clips);
    return clips;
  }

  #narrow(element: Element, outer: Clips): Clips {
    const style = getComputedStyle(element);
    const isClipping =
      (style.overflowX !== "visible" || style.overflowY !== "visible" || hasPaintContainment(style)) &&
      !isPage(element);
    if (!isClipping && outer.isSame) return outer;
    const { position } = style;
    const own = ownClip(outer, position);
    const flow = isClipping ? clipTo(element, style, own) : own;
    const containsFixed = style.display !== "inline" && containsFixedBoxes(style);
    const absolute = containsFixed || position !== "static" ? flow : outer.absolute;
    const fixed = containsFixed ? flow : outer.fixed;
    return { flow, absolute, fixed, isSame: flow === absolute && flow === fixed };
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
