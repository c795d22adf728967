/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads what can be read and acted on in a document: its elements with their roles and names, in reading order.
import { type Area, intersect } from "../../geometry/area.ts";
import { documentBody, documentElement, scrollingElement } from "../dom/document.ts";
import { findInnerScrollers } from "../dom/scrollers.ts";
import { openRoots, queryAll } from "../dom/shadow-roots.ts";
import { contains, parentElement } from "../dom/tree.ts";
import { findVisible } from "../dom/visible-box.ts";
import {
  assignedSlot,
  attribute,
  boundingBox,
  isAttributeSet,
  isPainted,
  localName,
  nodeType,
  nodeValue,
  referencedElements,
  visitChildren,
} from "./dom.ts";
import { ElementSelectors } from "./element-selectors.ts";
import { isIgnored, NameReader, oneLine } from "./names.ts";
import { forgetRoles, hasTabIndex, readRole } from "./roles.ts";
import { type ElementStates, readLevel, readStates, readValue } from "./states.ts";

export interface ReadRequest {
  readonly scope: "interactive" | "all";
  /** Selector of the element in which elements are read; null for the whole document. */
  readonly root: string | null;
  readonly maxElements: number;
  readonly maxFrames: number;
  /** True where the elements are to be marked: then `text` and `isCovered` are measured. */
  readonly isMarked: boolean;
  /** True where elements that scroll in place of the page cut nothing off below: the picture shows all that is in them. */
  readonly arePanesWhole: boolean;
}

export interface ReadElement {
  readonly role: string;
  readonly name: string;
  /** Absent for an element without one, as are `level` and `href`. */
  readonly value?: string;
  readonly states: ElementStates;
  readonly level?: number;
  /** In CSS pixels of the window of its document, in whole pixels. */
  readonly box: Area;
  /** The part of the box that elements around it don't cut off: null where nothing is left, absent where nothing is cut off. */
  readonly shown?: Area | null;
  /** Set for an element in one that scrolls in place of the page, and for one that is fixed in the window, or in such a one. */
  readonly isInPane?: true;
  readonly isFixed?: true;
  /** Where its text is, in CSS pixels of the window of its document; absent where it has none, or none was measured. */
  readonly text?: Area;
  /** Set for an element in the window that others cover. */
  readonly isCovered?: true;
  /** Set for an element that only groups others: it can't be acted on, and has neither a name nor a text of its own. */
  readonly isGroup?: true;
  readonly selector: string | null;
  readonly href?: string;
}

export type Landmark = Pick<ReadElement, "role" | "name" | "level" | keyof ElementPlace>;

/** A frame among the elements: its content stands behind the first `after` elements. */
export interface ReadFrame {
  readonly after: number;
  /** Where the window of the frame is, in CSS pixels of the window around it, and what is seen of it. */
  readonly content: Area;
  readonly shown: Area | null;
  readonly isInPane?: true;
  readonly isFixed?: true;
  /** Pixels around the frame per pixel in it. */
  readonly scale: number;
}

export interface ElementsRead {
  readonly url: string;
  readonly page: { readonly width: number; readonly height: number };
  readonly window: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly elements: readonly ReadElement[];
  readonly headings: readonly Landmark[];
  readonly landmarks: readonly Landmark[];
  readonly frames: readonly ReadFrame[];
  /** Where texts are that marks should not be on; empty where none were measured. */
  readonly texts: readonly Area[];
  /** True when there are more elements or frames than the limits allow. */
  readonly isCut: boolean;
}

const MAX_HEADINGS = 300;
const MAX_LANDMARKS = 100;
const MAX_HREF_CHARACTERS = 2_000;

/** Elements of a page of 200,000 that are looked at closely: 200 ms. */
const MAX_MEASURED = 40_000;
const MAX_VISITED = 400_000;

/** Pages nest about 30 levels; Chromium lays out 3,000. */
const MAX_DEPTH = 1_500;

/** Elements whose cursor is looked at, since a script may make anything a button. */
const MAX_CURSORS = 10_000;

let frameElements: Element[] = [];

/** The elements of the frames that `readElements` has found last, in the order of `frames`. */
export function readFrameElements(): Element[] {
  return frameElements;
}

/** Reads the elements of the document: `ElementsRead` as JSON, which is sent in a third of the time that its objects take. */
export function readElements(request: ReadRequest): string {
  return JSON.stringify(readDocument(request));
}

function readDocument(request: ReadRequest): ElementsRead {
  forgetRoles();
  const start = request.root === null ? (documentBody() ?? documentElement()) : (findVisible(request.root) ?? null);
  const reader = request.scope === "all" ? new TreeReader(request) : new ControlReader(request);
  if (start) reader.read(start);
  const { elements, frames, isCut } = reader.result();
  frameElements = frames.map(({ element }) => element);
  const page = scrollingElement();
  return {
    url: document.URL.slice(0, MAX_HREF_CHARACTERS).toWellFormed(),
    page: { width: page?.scrollWidth ?? 0, height: page?.scrollHeight ?? 0 },
    window: { x: window.scrollX, y: window.scrollY, width: window.innerWidth, height: window.innerHeight },
    elements,
    headings: reader.headings,
    landmarks: reader.landmarks,
    frames: frames.map(({ frame }) => frame),
    texts: request.isMarked ? textBoxes() : [],
    isCut,
  };
}

/** A frame and what is read of its element. */
interface FoundFrame {
  readonly element: Element;
  readonly frame: ReadFrame;
}

interface Result {
  readonly elements: readonly ReadElement[];
  readonly frames: readonly FoundFrame[];
  readonly isCut: boolean;
}

const LANDMARKS = new Set("banner complementary contentinfo form main navigation region search".split(" "));
const HEADING_OR_LANDMARK = new Set("aside footer form h1 h2 h3 h4 h5 h6 header main nav search section".split(" "));

/** The box and the computed style of an element. */
interface Measured {
  readonly box: DOMRect;
  readonly style: CSSStyleDeclaration;
}

type ElementPlace = Pick<ReadElement, "box" | "shown" | "isInPane" | "isFixed" | "selector">;

function placeIn({ role: _role, name: _name, level: _level, ...place }: Landmark): ElementPlace {
  return place;
}

/** What is seen of the box of an element; null where nothing is. */
function shownPart({ box, shown = box }: Pick<ReadElement, "box" | "shown">): Area | null {
  return shown;
}

/** What both ways of reading have in common. */
abstract class ElementReader {
  readonly headings: Landmark[] = [];
  readonly landmarks: Landmark[] = [];
  protected readonly request: ReadRequest;
  protected readonly names = new NameReader();
  protected readonly frames: FoundFrame[] = [];
  protected isCut = false;
  readonly #body = documentBody();
  readonly #html = documentElement();
  readonly #selectors = new ElementSelectors();
  readonly #clips = new Map<Element, Area | null>();
  readonly #panes: ReadonlySet<Element>;
  /** The headings and landmarks. */
  readonly #outlined = new Map<Element, Landmark>();

  constructor(request: ReadRequest) {
    this.request = request;
    this.#panes = new Set(request.arePanesWhole ? findInnerScrollers(openRoots()) : []);
  }

  abstract read(start: Element): void;
  abstract result(): Result;

  protected describe(
    element: Element,
    role: string,
    isControl: boolean,
    { box, style, text = "" }: Measured & { readonly text?: string },
  ): ReadElement {
    const outlined = this.#outlined.get(element);
    const own = outlined?.name ?? this.names.name(element);
    const name = own || (isControl ? this.names.content(element) : "");
    const given = readValue(element, role);
    const place = outlined ? placeIn(outlined) : this.#place(element, { box, style });
    const value = given ?? (name === "" && text.trim() !== "" ? oneLine(text) : null);
    const isGroup = !isControl && name === "" && value === null;
    const isMarked = this.request.isMarked && !isGroup;
    const ownText = isMarked ? textBox(element) : null;
    const level = readLevel(element, role);
    const href = role === "link" || localName(element) === "a" ? readLink(element) : null;
    return {
      ...place,
      ...(ownText && { text: ownText }),
      ...(isMarked && isCovered(element, shownPart(place)) && { isCovered: true }),
      ...(isGroup && { isGroup }),
      role,
      name,
      states: readStates(element, role, this.names.isHidden(element)),
      ...(value !== null && { value }),
      ...(level !== null && { level }),
      ...(href !== null && { href }),
    };
  }

  /** Lists a heading or a landmark. */
  protected outline(element: Element): void {
    if (this.headings.length >= MAX_HEADINGS && this.landmarks.length >= MAX_LANDMARKS) return;
    const tag = localName(element);
    if (!HEADING_OR_LANDMARK.has(tag) && !isAttributeSet(element, "role")) return;
    const role = readRole(element);
    const list = role === "heading" ? this.headings : LANDMARKS.has(role) ? this.landmarks : undefined;
    if (!list || list.length >= (role === "heading" ? MAX_HEADINGS : MAX_LANDMARKS)) return;
    if (!this.names.isPainted(element) || this.names.isHidden(element)) return;
    const box = boundingBox(element);
    if (box.width === 0 || box.height === 0) return;
    const place = this.#place(element, { box, style: getComputedStyle(element) });
    const level = readLevel(element, role);
    const outlined = { role, name: this.names.name(element), ...(level !== null && { level }), ...place };
    this.#outlined.set(element, outlined);
    list.push(outlined);
  }

  protected addFrame(element: Element, after: number): void {
    if (this.frames.length >= this.request.maxFrames) {
      this.isCut = true;
      return;
    }
    const box = boundingBox(element);
    const { clientLeft, clientTop, clientWidth, clientHeight, offsetWidth } = element as HTMLElement;
    if (box.width <= 1 || box.height <= 1 || clientWidth === 0) return;
    const scale = offsetWidth > 0 ? box.width / offsetWidth : 1;
    const style = getComputedStyle(element);
    const { paddingLeft, paddingTop, paddingRight, paddingBottom } = style;
    const [left, top] = [Number.parseFloat(paddingLeft) || 0, Number.parseFloat(paddingTop) || 0];
    const content = {
      x: box.x + scale * (clientLeft + left),
      y: box.y + scale * (clientTop + top),
      width: scale * (clientWidth - left - (Number.parseFloat(paddingRight) || 0)),
      height: scale * (clientHeight - top - (Number.parseFloat(paddingBottom) || 0)),
    };
    const shown = this.#shown(element, content, style);
    this.frames.push({ element, frame: { after, content, shown, ...this.#position(element), scale } });
  }

  #place(element: Element, { box: { x, y, width, height }, style }: Measured): ElementPlace {
    const box = { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
    const selector = this.#selectors.select(element) ?? null;
    const shown = this.#shown(element, box, style);
    return { box, ...(shown !== box && { shown }), ...this.#position(element), selector };
  }

  /** Whether the picture shows an element elsewhere than the page has it. */
  #position(element: Element): Pick<ElementPlace, "isInPane" | "isFixed"> {
    if (!this.request.arePanesWhole) return {};
    let isInPane = false;
    for (let each: Element | null = element; each; each = parentElement(each)) {
      if (getComputedStyle(each).position === "fixed") return { isFixed: true };
      isInPane ||= this.#panes.has(each) && each !== element;
    }
    return isInPane ? { isInPane: true } : {};
  }

  /** What is seen of a box of an element: the box itself where nothing is cut off. */
  #shown(element: Element, box: Area, style: CSSStyleDeclaration): Area | null {
    const clip = this.#clipAround(element, style);
    if (clip === undefined) return box;
    return (clip && intersect(box, clip)) ?? null;
  }

  /** What elements around it show of an element: all of it where undefined, nothing where null. */
  #clipAround(element: Element, { position }: CSSStyleDeclaration): Area | null | undefined {
    if (position === "fixed") return undefined;
    let outer = parentElement(element);
    while (position === "absolute" && outer && isPassedByAbsolute(outer)) outer = parentElement(outer);
    if (!outer || outer === this.#body || outer === this.#html) return undefined;
    return this.#clipInside(outer);
  }

  #clipInside(element: Element): Area | null | undefined {
    const known = this.#clips.get(element);
    if (known !== undefined || this.#clips.has(element)) return known;
    const style = getComputedStyle(element);
    const around = this.#clipAround(element, style);
    const isClipping = style.overflowX !== "visible" && !/^(contents|inline)$/.test(style.display);
    let clip = around;
    if (isClipping && around !== null) {
      const { x, y, width, height: visible } = boundingBox(element);
      const height = this.#panes.has(element) ? Math.max(visible, element.scrollHeight) : visible;
      clip = (around ? intersect({ x, y, width, height }, around) : { x, y, width, height }) ?? null;
    }
    this.#clips.set(element, clip as Area | null);
    return clip;
  }
}

/** True for an element that doesn't clip absolute elements in it, because they aren't placed by it. */
function isPassedByAbsolute(element: Element): boolean {
  const { position, transform, filter, contain, willChange } = getComputedStyle(element);
  return (
    position === "static" && transform === "none" && filter === "none" && contain === "none" && willChange === "auto"
  );
}

const MAX_TEXTS = 5_000;

/** The boxes of the texts of the document, line by line, and of its fields. */
function textBoxes(): Area[] {
  const boxes: Area[] = [];
  const add = ({ x, y, width, height }: Area) => {
    if (width > 1 && height > 1 && boxes.length < MAX_TEXTS) boxes.push({ x, y, width, height });
  };
  const range = document.createRange();
  let visited = 0;
  for (const root of openRoots()) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (boxes.length >= MAX_TEXTS || ++visited > 4 * MAX_TEXTS) return boxes;
      if (!/\S/.test(nodeValue(node) ?? "")) continue;
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) add(line);
    }
    for (const field of queryAll(root, "input, select, textarea")) {
      const box = textBox(field);
      if (box) add(box);
    }
  }
  return boxes;
}

const FIELDS = new Set(["input", "select", "textarea"]);

/** Where the text of an element is; the box of a field inside its padding. */
function textBox(element: Element): Area | null {
  if (FIELDS.has(localName(element))) {
    const { x, y, width, height } = boundingBox(element);
    const { paddingLeft, paddingTop } = getComputedStyle(element);
    const [left, top] = [Number.parseFloat(paddingLeft) || 0, Number.parseFloat(paddingTop) || 0];
    return { x: x + left, y: y + top, width: Math.max(0, width - 2 * left), height: Math.max(0, height - 2 * top) };
  }
  if (!/\S/.test(element.textContent ?? "")) return null;
  const range = document.createRange();
  range.selectNodeContents(element);
  const { x, y, width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** True where another element is in front of the middle and the corners of what is seen of an element in the window. */
function isCovered(element: Element, shown: Area | null): boolean {
  const inWindow = shown && intersect(shown, { x: 0, y: 0, width: window.innerWidth, height: window.innerHeight });
  if (!inWindow) return false;
  const root = Node.prototype.getRootNode.call(element) as Document | ShadowRoot;
  return [0.5, 0.1, 0.9].every((share) => {
    const [x, y] = [inWindow.x + share * inWindow.width, inWindow.y + share * inWindow.height];
    const hit = root.elementFromPoint(x, y);
    return hit !== null && !contains(element, hit) && !contains(hit, element);
  });
}

function readLink(element: Element): string | null {
  const href = attribute(element, "href") ?? attribute(element, "xlink:href");
  if (href === null) return null;
  const address = URL.parse(href, document.baseURI)?.href ?? href;
  return address.slice(0, MAX_HREF_CHARACTERS).toWellFormed();
}

/** A node of the accessibility tree. Some nodes are left out once the tree is complete. */
interface TreeNode {
  readonly element: Element;
  readonly role: string;
  readonly box: DOMRect;
  readonly style: CSSStyleDeclaration;
  readonly isListed: boolean;
  readonly children: (TreeNode | FrameMark)[];
  text: string;
}

/** The place of a frame in the tree. */
interface FrameMark {
  readonly frame: Element;
}

/** Reads all elements that have a role, and those that group others or hold text. */
class TreeReader extends ElementReader {
  readonly #root: TreeNode[] = [];
  readonly #visited = new Set<Element>();
  #measured = 0;
  #decided = 0;

  override read(start: Element): void {
    const top: TreeNode = {
      element: start,
      role: "none",
      box: new DOMRect(),
      style: getComputedStyle(start),
      isListed: false,
      children: [],
      text: "",
    };
    this.#visit(start, top, 0);
    this.#root.push(...top.children.filter((child): child is TreeNode => !("frame" in child)));
  }

  override result(): Result {
    const elements: ReadElement[] = [];
    const add = (nodes: readonly (TreeNode | FrameMark)[]) => {
      for (const node of nodes) {
        if (elements.length >= this.request.maxElements) {
          this.isCut = true;
          return;
        }
        if ("frame" in node) this.addFrame(node.frame, elements.length);
        else {
          if (node.isListed)
            elements.push(this.describe(node.element, node.role, isControl(node.element, node.role), node));
          add(node.children);
        }
      }
    };
    add(this.#root);
    return { elements, frames: this.frames, isCut: this.isCut };
  }

  #isFull(): boolean {
    return this.#decided > this.request.maxElements || this.#measured > MAX_MEASURED;
  }

  #visit(element: Element, outer: TreeNode, depth: number): void {
    if (this.#visited.has(element) || isIgnored(element)) return;
    if (this.#isFull() || depth > MAX_DEPTH) {
      this.isCut = true;
      return;
    }
    this.#visited.add(element);
    this.#measured++;
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none") return;
    this.outline(element);
    const isShown = this.names.isPainted(element);
    const role = readRole(element);
    const box = boundingBox(element);
    const hasBox = isShown && box.width > 0 && box.height > 0;
    const isText = role === "generic" && display === "inline" && hasOnlyText(element);
    const isNode = (isShown || display === "contents") && role !== "none" && !isText;
    const node: TreeNode = isNode ? { element, role, box, style, isListed: hasBox, children: [], text: "" } : outer;
    const isBreak = display !== "inline" || localName(element) === "br";
    if (isBreak) addText(node, " ");
    if (role === "iframe") {
      if (isNode && hasBox) node.children.push({ frame: element });
    } else this.#visitContent(element, node, { isShown: isShown || display === "contents", depth: depth + 1 });
    if (isBreak) addText(node, " ");
    if (!isNode) return;
    if (!mergeText(node) && isUnwrapped(node)) {
      addText(outer, node.text);
      outer.children.push(...node.children);
      return;
    }
    if (node.isListed) this.#decided++;
    outer.children.push(node);
  }

  #visitContent(
    element: Element,
    node: TreeNode,
    { isShown, depth }: { readonly isShown: boolean; readonly depth: number },
  ): void {
    visitChildren(element, (child) => {
      if (nodeType(child) === Node.ELEMENT_NODE) this.#visit(child as Element, node, depth);
      else if (isShown && nodeType(child) === Node.TEXT_NODE && isTextShown(element, child))
        addText(node, nodeValue(child) ?? "");
      return !this.#isFull();
    });
    for (const owned of referencedElements(element, attribute(element, "aria-owns"))) this.#visit(owned, node, depth);
  }
}

const MAX_TEXT = 1_000;

function addText(node: TreeNode, text: string): void {
  if (node.text.length < MAX_TEXT) node.text += text.slice(0, MAX_TEXT);
}

function hasPseudoText(element: Element): boolean {
  return ["::before", "::after"].some((pseudo) => /^"[^"]/.test(getComputedStyle(element, pseudo).content));
}

function isTextShown(element: Element, text: Node): boolean {
  if (localName(element) === "details") return (element as HTMLDetailsElement).open;
  return localName(element) === "slot" || assignedSlot(text) === null;
}

function hasOnlyText(element: Element): boolean {
  const { childNodes } = element;
  return childNodes.length === 1 && nodeType(childNodes[0] as Node) === Node.TEXT_NODE;
}

/** An element that only wraps a text, or the symbol of a style sheet, stands for both. True if that is so. */
function mergeText(node: TreeNode): boolean {
  const [child] = node.children;
  if (node.role !== "generic" || node.children.length !== 1 || node.text.trim() !== "") return false;
  if (!child || "frame" in child || child.role !== "generic" || child.children.length > 0) return false;
  if (child.text.trim() === "" && !hasPseudoText(child.element)) return false;
  if (isAriaHidden(node.element) || isAriaHidden(child.element)) return false; // what one hides, the other doesn't
  node.children.length = 0;
  node.text = child.text;
  return true;
}

const isAriaHidden = (element: Element) => attribute(element, "aria-hidden")?.toLowerCase() === "true";

/** True for an element that only wraps another one. */
function isUnwrapped({ element, role, style, children, text }: TreeNode): boolean {
  if (role !== "generic") return false;
  if (children.length > 1 || text.trim() !== "" || hasPseudoText(element)) return false;
  const [child] = children;
  if (child) return "frame" in child || (child.isListed && child.style.pointerEvents !== "none");
  return !(style.cursor === "pointer" && isPointerRoot(element));
}

function isPointerRoot(element: Element): boolean {
  const outer = parentElement(element);
  return !outer || getComputedStyle(outer).cursor !== "pointer";
}

const CONTROL_ROLES = new Set(
  (
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox " +
    "slider spinbutton switch tab textbox treeitem"
  ).split(" "),
);
const CONTROL_TAGS = new Set(["a", "area", "audio", "button", "input", "select", "summary", "textarea", "video"]);

/** True for an element that can be acted on, by what HTML and ARIA say. */
function isControl(element: Element, role: string): boolean {
  const tag = localName(element);
  if (tag === "audio" || tag === "video") return isAttributeSet(element, "controls");
  if (tag === "a" || tag === "area") {
    if (isAttributeSet(element, "href")) return true;
  } else if (CONTROL_TAGS.has(tag)) return role !== "none" && (element as HTMLInputElement).type !== "hidden";
  if (CONTROL_ROLES.has(role) && (role !== "gridcell" || hasTabIndex(element)) && tag !== "option") return true;
  if (isAttributeSet(element, "onclick")) return true;
  if (isAttributeSet(element, "contenteditable"))
    return /^(|true|plaintext-only)$/i.test(attribute(element, "contenteditable") ?? "");
  return hasTabIndex(element) && Number(attribute(element, "tabindex")) >= 0;
}

/** Reads only what can be acted on, which costs little on pages of any size. */
class ControlReader extends ElementReader {
  readonly #elements: ReadElement[] = [];
  readonly #listed = new Set<Element>();
  /** Elements that stand with the element that owns them. */
  readonly #owned = new Set<Element>();
  #isFull = false;
  #count = 0;
  #cursors = 0;

  override read(start: Element): void {
    this.#visit(start, false, 0);
  }

  override result(): Result {
    return { elements: this.#elements, frames: this.frames, isCut: this.isCut };
  }

  #visit(element: Element, isInPointer: boolean, depth: number): void {
    if (isIgnored(element) || this.#owned.has(element)) return;
    if (++this.#count > MAX_VISITED || depth > MAX_DEPTH) {
      this.isCut = true;
      return;
    }
    const tag = localName(element);
    this.outline(element);
    if (tag === "iframe" || tag === "frame") {
      if (isPainted(element)) this.addFrame(element, this.#elements.length);
      return;
    }
    let isPointer = isInPointer;
    if (!this.#isFull) {
      if (isAnyControl(element, tag)) {
        this.#add(element);
        isPointer = true;
      } else if (!isInPointer && this.#cursors < MAX_CURSORS) {
        this.#cursors++;
        isPointer = getComputedStyle(element).cursor === "pointer";
        if (isPointer && tag !== "label" && tag !== "body") this.#add(element);
      }
    }
    visitChildren(element, (child) => {
      if (nodeType(child) === Node.ELEMENT_NODE) this.#visit(child as Element, isPointer, depth + 1);
      return this.#count <= MAX_VISITED;
    });
    if (!isAttributeSet(element, "aria-owns")) return;
    for (const owned of referencedElements(element, attribute(element, "aria-owns"))) {
      if (this.#owned.has(owned)) continue;
      this.#visit(owned, isPointer, depth + 1);
      this.#owned.add(owned);
    }
  }

  #add(element: Element): void {
    if (this.#listed.has(element) || !this.names.isPainted(element)) return;
    const box = boundingBox(element);
    if (box.width === 0 || box.height === 0) return;
    if (this.#elements.length >= this.request.maxElements) {
      this.#isFull = true;
      this.isCut = true;
      return;
    }
    this.#listed.add(element);
    this.#elements.push(this.describe(element, readRole(element), true, { box, style: getComputedStyle(element) }));
  }
}

/** Like `isControl`, without the role where neither the type nor an attribute of the element can make it one. */
function isAnyControl(element: Element, tag: string): boolean {
  const mayBe =
    CONTROL_TAGS.has(tag) ||
    isAttributeSet(element, "role") ||
    isAttributeSet(element, "tabindex") ||
    isAttributeSet(element, "onclick") ||
    isAttributeSet(element, "contenteditable");
  return mayBe && isControl(element, readRole(element));
}
