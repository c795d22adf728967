/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Walks the elements of the page once, outer ones first, and notes of each where it is painted and what it belongs to.
import { type Area, intersect } from "../../geometry/area.ts";
import { colourAlpha, elementName } from "../dom/appearance.ts";
import { documentBody } from "../dom/document.ts";
import { propertyReader } from "../dom/read-property.ts";
import { openShadowRoot } from "../dom/shadow-roots.ts";
import { frameDocument, parentElement } from "../dom/tree.ts";

/** An element that is painted, or that contains one that is. */
export interface SeenElement {
  readonly element: Element;
  readonly parent: SeenElement | undefined;
  readonly style: CSSStyleDeclaration;
  readonly display: string;
  readonly position: string;
  /** Its box in CSS pixels of the page. */
  readonly box: Area;
  /** What can be seen of its box; undefined where it is clipped away. */
  readonly shown: Area | undefined;
  /** What the boxes of its children are clipped to, and the element that clips them. */
  readonly clip: Area | undefined;
  readonly clipper: SeenElement | undefined;
  /** False where only its children can be visible. */
  readonly isVisible: boolean;
  /** True in headers, footers, navigation, and sidebars. */
  readonly isEdge: boolean;
  /** The element out of the flow, above the page, that it is in; itself if it is one. */
  readonly layer: SeenElement | undefined;
  readonly background: string;
  /** Its id, classes and other names, in lower case. */
  readonly name: string;
  /** Words of the texts in it, without those of its layers. Set once the texts are read. */
  words: number;
  /** Images, canvases, videos, drawings, fields and frames in it. Set once they are read. */
  replaced: number;
}

export interface Walk {
  readonly seen: readonly SeenElement[];
  /** How many parts of the page lie too far below the window, and were left out. */
  readonly omittedBelow: number;
  /** True when some elements were left out, because there are too many. */
  readonly isSampled: boolean;
}

/** Of a longer list of children, so many are seen from its beginning, in its middle, and at its end. */
const SAMPLE = { first: 60, spread: 40, last: 20 };

const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "LINK", "META", "OPTION", "BR", "SOURCE"]);
const EDGES =
  "nav, footer, aside, [role=navigation], [role=contentinfo], [role=complementary], [role=menubar], [role=toolbar]";
const EDGE_NAMES =
  /(?<![a-z])(?<!(?:card|modal|panel|dialog|form|table|post|entry)-)(nav|navbar|navigation|sidebar|side-bar|sidenav|topbar|top-bar|footer|breadcrumbs?)(?![a-z])/;
const MAX_HEADER_HEIGHT = 200;

/** A layer has at least this share of the window, and this stacking order where it does not stay in place. */
const MIN_LAYER_SHARE = 0.015;
const MIN_LAYER_ORDER = 10;
const DIALOGS = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true], :popover-open";

interface Visit {
  readonly element: Element;
  readonly parent: SeenElement | undefined;
  /** Where the document of its frame is on the page. */
  readonly origin: { readonly x: number; readonly y: number };
}

const childrenIn = propertyReader(Element.prototype, "children");
const shadowChildrenIn = propertyReader(DocumentFragment.prototype, "children");
const windowOf = propertyReader(Document.prototype, "defaultView");
const ownerOf = propertyReader(Node.prototype, "ownerDocument");

/** What is left out for a picture of the window: from so many windows on, parts that are higher than a line. */
const REACH = { windows: 2, minHeight: 30 };

/** The elements at so many points of the window, in each direction, are seen wherever they are in the document. */
const POINTS = 5;

/**
 * Sees at most `maxElements` elements: outer ones before inner ones, in open shadow roots and frames of the same origin, too;
 * without `isWhole`, only those of the window and of what is near it.
 */
export function walkPage(maxElements: number, isWhole: boolean): Walk {
  const body = documentBody();
  const seen: SeenElement[] = [];
  const inWindow = isWhole ? undefined : elementsInWindow();
  const end = window.scrollY + REACH.windows * window.innerHeight;
  let omittedBelow = 0;
  const queue: Visit[] = body
    ? [{ element: body, parent: undefined, origin: { x: window.scrollX, y: window.scrollY } }]
    : [];
  let isSampled = false;
  for (let next = 0; next < queue.length; next++) {
    if (seen.length >= maxElements) return { seen, isSampled: true, omittedBelow };
    const visit = queue[next] as Visit;
    if (isShadowed(visit.element)) {
      for (const element of sampled(childrenIn(visit.element)).children) queue.push({ ...visit, element });
      continue;
    }
    const current = see(visit);
    if (!current) continue;
    seen.push(current);
    const isBelow = inWindow && current.box.y > end && current.box.height >= REACH.minHeight;
    if (isBelow && current.position !== "fixed" && !inWindow.has(visit.element)) {
      omittedBelow++;
      continue;
    }
    const { children, isWhole } = sampled(flatChildren(visit.element));
    isSampled ||= !isWhole;
    for (const element of children) queue.push({ element, parent: current, origin: visit.origin });
    const inner = frameDocument(visit.element);
    const innerBody = inner && documentBody(inner);
    if (innerBody) {
      const { clientLeft, clientTop } = visit.element;
      const origin = { x: current.box.x + clientLeft, y: current.box.y + clientTop };
      queue.push({ element: innerBody, parent: current, origin });
    }
  }
  return { seen, isSampled, omittedBelow };
}

const METHODS = [
  "matches",
  "closest",
  "getAttribute",
  "hasAttribute",
  "hasAttributes",
  "getBoundingClientRect",
] as const;
const TEXTS = ["localName", "tagName", "id", "textContent"] as const;
const NUMBERS = ["scrollHeight", "clientHeight", "scrollWidth", "clientWidth", "childElementCount"] as const;

/** True for a form with fields whose names hide its own properties: only what is in it is seen. */
function isShadowed(element: Element): boolean {
  if (!(element instanceof HTMLFormElement)) return false;
  const has = (names: readonly (keyof Element)[], type: string) => names.every((name) => typeof element[name] === type);
  return !has(METHODS, "function") || !has(TEXTS, "string") || !has(NUMBERS, "number");
}

/** What is painted in the window, and all around it. */
function elementsInWindow(): ReadonlySet<Element> {
  const found = new Set<Element>();
  for (let index = 0; index < POINTS * POINTS; index++) {
    const x = ((0.5 + (index % POINTS)) / POINTS) * window.innerWidth;
    const y = ((0.5 + Math.floor(index / POINTS)) / POINTS) * window.innerHeight;
    for (const hit of Document.prototype.elementsFromPoint.call(document, x, y)) {
      for (let around: Element | null = hit; around && !found.has(around); around = parentElement(around))
        found.add(around);
    }
  }
  return found;
}

/** The children in the flat tree: a shadow root hides those of its host, and slots show them. */
function flatChildren(element: Element): ArrayLike<Element> {
  const shadowRoot = openShadowRoot(element);
  if (shadowRoot) return shadowChildrenIn(shadowRoot);
  if (element.localName === "slot") {
    const assigned = HTMLSlotElement.prototype.assignedElements.call(element);
    if (assigned.length > 0) return assigned;
  }
  return childrenIn(element);
}

function sampled(children: ArrayLike<Element>): { children: Element[]; isWhole: boolean } {
  const { first, spread, last } = SAMPLE;
  const { length } = children;
  if (length <= first + spread + last) return { children: Array.from(children), isWhole: true };
  const step = (length - first - last) / spread;
  const chosen: Element[] = [];
  const choose = (index: number) => {
    const child = children[Math.floor(index)];
    if (child) chosen.push(child);
  };
  for (let index = 0; index < first; index++) choose(index);
  for (let index = 0; index < spread; index++) choose(first + index * step);
  for (let index = length - last; index < length; index++) choose(index);
  return { children: chosen, isWhole: false };
}

/** Undefined for an element that is not rendered, with all that is in it. */
function see({ element, parent, origin }: Visit): SeenElement | undefined {
  if (SKIPPED.has(element.tagName.toUpperCase())) return undefined;
  const owner = ownerOf(element) as Document;
  const view = owner === document ? window : (windowOf(owner) ?? window);
  const style = view.getComputedStyle(element);
  const { display, position } = style;
  if (display === "none" || Number(style.opacity) < 0.05) return undefined;
  const details = parent?.element;
  if (details?.localName === "details" && !details.hasAttribute("open") && element.localName !== "summary")
    return undefined;
  if (display !== "contents" && style.contentVisibility === "hidden" && parent) return undefined;
  const rect = element.getBoundingClientRect();
  const box = { x: rect.x + origin.x, y: rect.y + origin.y, width: rect.width, height: rect.height };
  // What is fixed is not clipped by what is around it; what is positioned only by positioned elements, which is left out here.
  const isFree = position === "fixed" || (parent === undefined && owner === document);
  const [around, clipper] = isFree ? [undefined, undefined] : [parent?.clip, parent?.clipper];
  const shown = around ? intersect(around, box) : box.width > 0 && box.height > 0 ? box : undefined;
  const name = element.hasAttributes() ? elementName(element) : "";
  const isRoot = parent === undefined || (parent.element !== element.parentNode && ownerOf(parent.element) !== owner);
  const clips = !isRoot && (style.overflowX !== "visible" || style.overflowY !== "visible");
  const isFrame = element.localName === "iframe" || element.localName === "frame";
  const isEdge = (parent?.isEdge ?? false) || isEdgeOf(element, name, box, parent);
  const current: SeenElement = {
    element,
    parent,
    style,
    display,
    position,
    box,
    shown,
    clip: undefined,
    clipper: undefined,
    isVisible: style.visibility === "visible",
    isEdge,
    layer: undefined,
    background: ownBackground(style) ?? parent?.background ?? canvasBackground(owner),
    name,
    words: 0,
    replaced: 0,
  };
  const isClipping = clips || isFrame;
  const inner = isClipping ? clipOf(current, around) : { clip: around, clipper };
  const layer = !isRoot && isLayer(current) ? current : isFree ? undefined : parent?.layer;
  return Object.assign(current, { ...inner, clipper: isClipping ? current : clipper, layer });
}

/** What an element that clips its contents shows of them; in a direction that is not clipped, what is around it. */
function clipOf({ style, box }: SeenElement, around: Area | undefined): { clip: Area } {
  const far = 1e7;
  const across =
    style.overflowX === "visible" && style.display !== "inline"
      ? { x: -far, width: 2 * far }
      : { x: box.x, width: box.width };
  const down = style.overflowY === "visible" ? { y: -far, height: 2 * far } : { y: box.y, height: box.height };
  const own = { ...across, ...down } as Area;
  return { clip: around ? (intersect(around, own) ?? { ...own, width: 0, height: 0 }) : own };
}

function isEdgeOf(element: Element, name: string, box: Area, parent: SeenElement | undefined): boolean {
  if (!parent) return false;
  if (element.matches(EDGES)) return true;
  const isBanner =
    element.matches("header, [role=banner]") && box.height <= MAX_HEADER_HEIGHT && box.y < MAX_HEADER_HEIGHT;
  // A body with such a name has all of the page in it, and so may an element as large as the window.
  const isLarge = box.height > 0.7 * window.innerHeight && box.width > 0.5 * window.innerWidth;
  return isBanner || (!isLarge && name !== "" && EDGE_NAMES.test(name.slice(0, 200)));
}

/** The background of a document behind its body: that of its root element, or of its colour scheme. */
function canvasBackground({ documentElement }: Document): string {
  const style = getComputedStyle(documentElement);
  const schemes = style.colorScheme;
  const isDark =
    schemes.includes("dark") && (!schemes.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
  return ownBackground(style) ?? (isDark ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)");
}

/** Its background where it is nearly opaque. */
function ownBackground(style: CSSStyleDeclaration): string | undefined {
  const { backgroundColor, backgroundImage } = style;
  if (backgroundImage !== "none") return "image";
  return colourAlpha(backgroundColor) > 0.6 ? backgroundColor : undefined;
}

function isLayer({ element, style, position, box }: SeenElement): boolean {
  if (position === "static" || position === "relative") return element.matches(DIALOGS) && isTopLayer(element);
  const order = Number(style.zIndex);
  const isAbove = position === "fixed" || order >= MIN_LAYER_ORDER || element.matches(DIALOGS);
  return isAbove && areaWindowShare(box) >= MIN_LAYER_SHARE;
}

function isTopLayer(element: Element): boolean {
  return element.matches(":modal, :popover-open");
}

/** The share of the window, as it is now, that an area of the page covers. */
export function areaWindowShare(area: Area): number {
  const view = { x: window.scrollX, y: window.scrollY, width: window.innerWidth, height: window.innerHeight };
  const common = intersect(area, view);
  return common ? (common.width * common.height) / (view.width * view.height) : 0;
}

/** True for an element that is `outer`, or in it. */
export function isIn(outer: SeenElement, inner: SeenElement): boolean {
  for (let each: SeenElement | undefined = inner; each; each = each.parent) if (each === outer) return true;
  return false;
}
