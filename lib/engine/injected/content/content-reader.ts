/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads what a reader of the page can reach, in document order, and decides by the painted boxes which words are on one line.
import { propertyReader } from "../dom/read-property.ts";
import { parentElement } from "../dom/tree.ts";
import type { ContentWriter } from "./content-writer.ts";
import { isFallbackShown } from "./embedded-media.ts";
import { readFormula } from "./formulas.ts";
import {
  areColumns,
  arePaintedApart,
  areWords,
  continuesLine,
  gapBetween,
  isDropCap,
  isOneLine,
} from "./painted-lines.ts";
import { EMPTY, elementPiece, isBlank, type Piece, type Place } from "./piece.ts";
import { raisedOrLowered, scriptSide, toScript } from "./scripts.ts";

export interface ReadLimits {
  readonly characters: number;
  /** Levels of nesting; deeper content is left out. */
  readonly depth: number;
}

/** How a node takes part in the layout of its parent. */
type Kind =
  | "text"
  | "inline"
  | "atomic" // an inline block
  | "float"
  | "absolute"
  | "item" // of a flex container, a grid, or a row of cells that is no table
  | "block"
  | "cell"
  | "end"; // a line end

interface Child {
  readonly kind: Kind;
  readonly piece: Piece;
  readonly element: Element | undefined;
  readonly display: string;
}

/** How a parent lays out its children. */
type Layout = "flow" | "row" | "column" | "table";

/** What the parent of a node says about it. Computed styles are read when they are needed, and once: they cost most of the time. */
interface Surroundings {
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
  isShown?: boolean;
  collapse?: string;
  transform?: string;
  readonly isCode: boolean;
  readonly layout: Layout;
  readonly depth: number;
}

/** Elements whose content is never a part of the line next to it. */
const ALWAYS_BLOCKS = new Set(
  (
    "article aside blockquote dd details dialog dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol pre " +
    "section table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/** Elements that are part of a line unless a style says otherwise. */
const PHRASING = new Set(
  (
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark output q s samp small span " +
    "strike strong sub sup time tt u var"
  ).split(" "),
);

const UNREAD = new Set(
  (
    "audio canvas datalist desc embed frame head iframe map metadata meter progress script selectedcontent style svg " +
    "template textarea title video"
  ).split(" "),
);

/** Chromium shows no space for a line end between two ideographs. */
const IDEOGRAPH = "[\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef]";
const END_BETWEEN_IDEOGRAPHS = new RegExp(`(?<=${IDEOGRAPH})[ \\t]*[\\n\\r][ \\t\\n\\r\\f]*(?=${IDEOGRAPH})`, "g");

const nameOf = propertyReader(Element.prototype, "localName");
const textOf = propertyReader(Node.prototype, "textContent");
const firstChild = propertyReader(Node.prototype, "firstChild");
const nextSibling = propertyReader(Node.prototype, "nextSibling");

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = firstChild(node); child; child = nextSibling(child)) children.push(child);
  return children;
}

export class ContentReader {
  /** True when content beyond the limit of characters was left out. */
  isTooLong = false;
  /** True when content beyond the limit of nesting was left out. */
  isTooDeep = false;
  #size = 0;
  readonly #writer: ContentWriter;
  readonly #shadowDom: boolean;
  readonly #limits: ReadLimits;

  constructor(writer: ContentWriter, shadowDom: boolean, limits: ReadLimits) {
    this.#writer = writer;
    this.#shadowDom = shadowDom;
    this.#limits = limits;
  }

  read(root: Element): string {
    const style = getComputedStyle(root);
    const child = this.#readElement(root, { element: root, style, isCode: false, layout: "flow", depth: 0 });
    return child ? this.#write(child, true) : "";
  }

  #readText(node: Text, around: Surroundings): Child | undefined {
    const { style, isCode, layout } = around;
    let data = node.data.slice(0, this.#limits.characters);
    if (data === "") return undefined;
    this.#size += data.length;
    const from = data.search(/[^ \t\n\r\f]/);
    if (from !== -1) {
      around.isShown ??= isShown(around.element, style);
      if (!around.isShown) return undefined;
    }
    // White space of one character looks the same in every mode, unless it is a line end.
    let collapse = "collapse";
    if (/[\n\r\t\f]| {2}/.test(data)) {
      around.collapse ??= style.whiteSpaceCollapse;
      collapse = around.collapse;
    }
    const keepsLines = collapse !== "collapse";
    if (from !== -1) {
      if (!keepsLines && data.includes("\n")) data = data.replace(END_BETWEEN_IDEOGRAPHS, "");
      around.transform ??= style.textTransform;
      data = transformed(data, around.transform);
    }
    const content = this.#writer.text(data, { collapse, isCode });
    if (from === -1) {
      const edge = keepsLines && data.includes("\n") ? "\n" : " ";
      const piece = { ...EMPTY, content, start: edge, end: edge, isBroken: edge === "\n" };
      return { kind: layout === "row" ? "item" : "text", piece, element: undefined, display: "" };
    }
    const trimmed = data.trimEnd();
    const last = trimmed.length - (isLowSurrogate(trimmed.charCodeAt(trimmed.length - 1)) ? 2 : 1);
    const place: Place = { node, from, to: trimmed.length, boxes: undefined };
    const piece = {
      content,
      start: from > 0 ? " " : String.fromCodePoint(data.codePointAt(0) ?? 32),
      end: trimmed.length < data.length ? " " : trimmed.slice(last),
      first: place,
      last: place,
      isBroken: keepsLines && trimmed.includes("\n", from),
      hasBlock: false,
      isSolid: false,
    };
    return { kind: layout === "row" ? "item" : "text", piece, element: undefined, display: "" };
  }

  #readElement(element: Element, around: Surroundings): Child | undefined {
    const name = nameOf(element);
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none" || (name === "noscript" && !element.checkVisibility())) return undefined;
    if (around.depth > this.#limits.depth) {
      this.isTooDeep = true;
      return undefined;
    }
    this.#size += 10; // about the length of its tags
    if (name === "br") return { kind: "end", piece: EMPTY, element, display };
    const kind = kindOf(name, style, display, around.layout);
    const replaced = this.#writer.replaced(element, name);
    if (replaced) {
      if (replaced.content === "" || style.visibility !== "visible") return undefined;
      const edge = replaced.isBlock ? "\n" : "\ufffc";
      const piece = { ...elementPiece(element, replaced.content, edge), hasBlock: replaced.isBlock };
      return { kind: replaced.isBlock ? "block" : kind, piece, element, display };
    }
    if (UNREAD.has(name)) return name === "svg" ? this.#readDrawing(element, kind, around.depth) : undefined;
    if (name === "object" && !isFallbackShown(element)) return undefined;
    const formula = readFormula(element, name);
    if (formula) {
      if (style.visibility !== "visible") return undefined;
      const { isDisplay } = formula;
      const piece = elementPiece(element, this.#writer.formula(formula), isDisplay ? "\n" : "$");
      const place = kind === "block" ? "inline" : kind; // the display of inline MathML is "math"
      return { kind: isDisplay ? "block" : place, piece: { ...piece, hasBlock: isDisplay }, element, display };
    }
    if (name === "select") return { kind: "block", piece: this.#readOptions(element, style), element, display };

    const inner = this.#readChildren(this.#nodesIn(element, name), {
      element,
      style,
      isCode: around.isCode || name === "pre",
      layout: display === "contents" ? around.layout : layoutOf(style, display),
      depth: around.depth + 1,
    });
    const side = kind === "inline" && !isBlank(inner) ? scriptSide(name, style) : undefined;
    return { kind, piece: side ? this.#raiseOrLower(element, side, inner) : inner, element, display };
  }

  #nodesIn(element: Element, name: string): readonly Node[] {
    if (this.#shadowDom) {
      const root = element.shadowRoot;
      if (root instanceof ShadowRoot) return childrenOf(root);
      if (name === "slot" && element instanceof HTMLSlotElement) {
        const assigned = element.assignedNodes();
        if (assigned.length > 0) return assigned;
      }
    }
    return childrenOf(element);
  }

  #readChildren(nodes: readonly Node[], inside: Surroundings): Piece {
    const children: Child[] = [];
    let isInline = true; // only texts and inline elements
    let isStacked = true; // only blocks
    for (const node of nodes) {
      if (this.#size > this.#limits.characters) {
        this.isTooLong = true;
        break;
      }
      const type = node.nodeType;
      const child =
        type === Node.TEXT_NODE
          ? this.#readText(node as Text, inside)
          : type === Node.ELEMENT_NODE
            ? this.#readElement(node as Element, inside)
            : undefined;
      if (!child) continue;
      const { kind } = child;
      if (kind !== "text" && kind !== "inline") isInline = false;
      if (kind !== "block" && (kind !== "text" || child.piece.first)) isStacked = false;
      children.push(child);
    }
    if (isInline) return this.#joinInline(children, inside.isCode);
    return isStacked ? this.#joinBlocks(children) : this.#join(children, inside);
  }

  #joinBlocks(children: readonly Child[]): Piece {
    let content = "";
    let [first, last]: [Place | undefined, Place | undefined] = [undefined, undefined];
    let [isBroken, isSolid] = [false, false];
    for (const child of children) {
      const { piece, kind } = child;
      if (kind !== "block" || (isBlank(piece) && !isKept(child))) continue;
      content += this.#write(child, true);
      isBroken ||= piece.isBroken || (first !== undefined && piece.first !== undefined);
      isSolid ||= isSolidChild(child);
      first ??= piece.first;
      last = piece.last ?? last;
    }
    return content === "" ? EMPTY : { content, start: "\n", end: "\n", first, last, isBroken, hasBlock: true, isSolid };
  }

  /** Joins texts and inline elements, which most elements have alone. */
  #joinInline(children: readonly Child[], isCode: boolean): Piece {
    const [only] = children;
    if (only === undefined) return EMPTY;
    if (children.length === 1 && only.kind === "text") return only.piece;
    let content = "";
    let before: Child | undefined;
    let isSpaced = false;
    let [isBroken, hasBlock, isSolid] = [false, false, false];
    let first: Place | undefined;
    for (const child of children) {
      const { piece } = child;
      if (isBlank(piece)) isSpaced ||= piece.content !== "";
      else {
        if (before && !isSpaced && relate(before, child, false, [], isCode) === "space") content += " ";
        isBroken ||= piece.isBroken;
        hasBlock ||= piece.hasBlock;
        isSolid ||= piece.isSolid;
        first ??= piece.first;
        before = child;
        isSpaced = false;
      }
      content += this.#write(child, false);
    }
    const { start } = (children.find(({ piece }) => piece.content !== "") ?? only).piece;
    const { end } = (children.findLast(({ piece }) => piece.content !== "") ?? only).piece;
    return { content, start, end, first, last: before?.piece.last, isBroken, hasBlock, isSolid };
  }

  /** Joins the children of one element: those on one line with or without a space, others as lines of their own. */
  #join(children: readonly Child[], { layout, isCode }: Surroundings): Piece {
    const joined = children.some(({ kind }) => kind === "float" || kind === "absolute")
      ? children.filter((child, index) => isInLine(child, children, index))
      : [];
    const lines: Child[][] = [];
    const glues: string[][] = [];
    let line: Child[] = [];
    let glue: string[] = [];
    const endLine = () => {
      if (line.length > 0) {
        lines.push(line);
        glues.push(glue);
      }
      [line, glue] = [[], []];
    };
    let before: Child | undefined; // the last one with content
    let isSpaced = false;
    for (const child of children) {
      const { kind, piece } = child;
      if (isBlank(piece) && kind !== "end" && !isKept(child)) {
        if (kind === "block") {
          endLine();
          before = undefined;
        } else if (kind === "text" || kind === "inline" || kind === "atomic") {
          line.push(child);
          glue.push("");
        }
        isSpaced ||= piece.content !== "";
        continue;
      }
      const relation = kind === "end" || !before ? "glue" : relate(before, child, isSpaced, joined, isCode);
      if (kind === "block" || relation === "break") endLine();
      line.push(child);
      glue.push(relation === "space" ? " " : "");
      if (kind === "block") endLine();
      before = kind === "end" || kind === "block" ? undefined : child;
      isSpaced = false;
    }
    endLine();

    const written = lines.filter((each) => each.some((child) => child.kind !== "text" || !isBlank(child.piece)));
    if (written.length === 0) return { ...EMPTY, ...(children.some(({ piece }) => piece.content !== "") && SPACE) };
    if (written.length === 1 && (layout === "table" || written[0]?.[0]?.kind !== "block")) {
      const index = lines.indexOf(written[0] as Child[]);
      return this.#asPiece(lines[index] as Child[], glues[index] as string[], false);
    }
    const parts = lines.map((each, index) => {
      const [first] = each;
      if (first && each.length === 1 && first.kind === "block")
        return { ...this.#asPiece(each, [""], true), start: "\n", end: "\n" };
      const part = this.#asPiece(each, glues[index] as string[], isBoxed(each));
      const isBesideLine = isFlow(lines[index - 1]) || isFlow(lines[index + 1]);
      return isBesideLine && !isBoxed(each) ? { ...part, content: this.#writer.block(part.content) } : part;
    });
    const shown = parts.filter((part) => !isBlank(part));
    return {
      content: parts.map(({ content }) => content).join(""),
      start: parts[0]?.start ?? "",
      end: parts.at(-1)?.end ?? "",
      first: shown[0]?.first,
      last: shown.at(-1)?.last,
      isBroken: shown.length > 1 || shown.some(({ isBroken }) => isBroken),
      hasBlock: true,
      isSolid: shown.some(({ isSolid: isAny }) => isAny),
    };
  }

  /** The children of one line as a piece. */
  #asPiece(line: readonly Child[], glue: readonly string[], isBlock: boolean): Piece {
    let content = "";
    let [start, end] = ["", ""];
    let [first, last]: [Place | undefined, Place | undefined] = [undefined, undefined];
    let [hasEnded, isBroken, hasBlock, isSolid] = [false, false, isBlock, false];
    for (let index = 0; index < line.length; index++) {
      const child = line[index] as Child;
      const { piece, kind } = child;
      const isEnd = kind === "end";
      content += glue[index] + (isEnd ? this.#writer.lineEnd : this.#write(child, isBlock));
      if (isEnd || piece.content !== "") {
        start ||= isEnd ? "\n" : piece.start;
        end = isEnd ? "\n" : piece.end;
      }
      if (isEnd) hasEnded = first !== undefined;
      isSolid ||= isSolidChild(child);
      hasBlock ||= isSolid;
      if (isBlank(piece)) continue;
      isBroken ||= hasEnded || piece.isBroken;
      hasBlock ||= piece.hasBlock;
      first ??= piece.first;
      last = piece.last;
    }
    return { content, start, end, first, last, isBroken, hasBlock, isSolid };
  }

  #write({ element, piece, kind, display }: Child, isBlock: boolean): string {
    if (!element || kind === "end")
      return isBlock && kind === "item" ? this.#writer.block(piece.content) : piece.content;
    const name = nameOf(element);
    if (kind === "inline" || kind === "atomic" || (!isBlock && !ALWAYS_BLOCKS.has(name) && kind !== "block")) {
      const isFlat = kind !== "inline" && piece.hasBlock && !piece.isBroken && !piece.isSolid;
      return this.#writer.inline(element, piece.content, isFlat);
    }
    return this.#writer.element(element, piece.content, display);
  }

  #raiseOrLower(element: Element, side: "raised" | "lowered", inner: Piece): Piece {
    const plain = scriptText(element).replace(/\s+/g, " ").trim();
    const links =
      this.#writer.isLink(element) || [...element.querySelectorAll("a")].some((link) => this.#writer.isLink(link));
    const script = raisedOrLowered(plain, side);
    if (script === undefined) return { ...inner, content: ` ${inner.content}`, start: " " }; // words in small letters
    const edges = { start: "^", end: "^" };
    if (!links)
      return { ...inner, ...edges, content: this.#writer.text(script, { collapse: "collapse", isCode: false }) };
    const content = inner.content.replace(/(^|>)([^<]+)/g, (_, tag: string, text: string) => {
      const written = text.trim() === "" ? undefined : toScript(text, side);
      return tag + (written ?? text);
    });
    return { ...inner, ...edges, content };
  }

  /** The options of a list, each on a line of its own. */
  #readOptions(select: Element, style: CSSStyleDeclaration): Piece {
    const lines: string[] = [];
    const text = { collapse: "collapse", isCode: false };
    if (style.visibility !== "visible") return EMPTY;
    for (const option of select.querySelectorAll("option, optgroup")) {
      if (getComputedStyle(option).display === "none") continue;
      const label = option instanceof HTMLOptionElement ? option.label : (option.getAttribute("label") ?? "");
      if (label.trim() !== "") lines.push(this.#writer.text(label, text));
      this.#size += label.length + 10;
      if (this.#size > this.#limits.characters) break;
    }
    if (lines.length === 0) return EMPTY;
    return { ...elementPiece(select, this.#writer.options(lines), "\n"), isBroken: lines.length > 1, hasBlock: true };
  }

  /** The texts of a drawing, each with spaces around it. */
  #readDrawing(drawing: Element, kind: Kind, depth: number): Child | undefined {
    const parts: Piece[] = [];
    for (const text of drawing.querySelectorAll("text, foreignObject")) {
      if (text.parentElement?.closest("text, foreignObject") || !text.checkVisibility({ visibilityProperty: true }))
        continue;
      const style = getComputedStyle(text);
      const inside: Surroundings = { element: text, style, isCode: false, layout: "flow", depth: depth + 1 };
      const part = this.#readChildren(childrenOf(text), inside);
      if (!isBlank(part)) parts.push(part);
      if (this.#size > this.#limits.characters) break;
    }
    if (parts.length === 0) return undefined;
    const content = ` ${parts.map((part) => part.content).join(" ")} `;
    return { kind, piece: elementPiece(drawing, content, " "), element: undefined, display: "inline" };
  }
}

const SPACE = { content: " ", start: " ", end: " " };

/** True for an element whose texts are shown, or are as soon as a reader opens the details around it. */
function isShown(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.contentVisibility === "hidden" || style.visibility !== "visible") return false;
  if (element.checkVisibility()) return true;
  for (let each = parentElement(element); each; each = parentElement(each)) {
    if (getComputedStyle(each).contentVisibility === "hidden") return false;
  }
  return true;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function isAlwaysBlock({ element, kind }: Child): boolean {
  return element !== undefined && kind !== "inline" && ALWAYS_BLOCKS.has(element.localName);
}

/** The text of a superscript or subscript, in which there can be others. */
function scriptText(element: Element): string {
  let text = "";
  for (const node of childrenOf(element)) {
    if (node.nodeType === Node.TEXT_NODE) text += (node as Text).data;
    if (!(node instanceof Element)) continue;
    const inner = scriptText(node);
    const side = scriptSide(node.localName);
    text += side ? (raisedOrLowered(inner.trim(), side) ?? ` ${inner}`) : inner;
  }
  return text;
}

/** True for a child that is such an element or contains one. */
function isSolidChild(child: Child): boolean {
  return child.piece.isSolid || isAlwaysBlock(child);
}

/** True for an element without content that is written nevertheless. */
function isKept({ element }: Child): boolean {
  return element !== undefined && /^(td|th|tr|li)$/.test(element.localName);
}

/** True for a line that no element stands for as a block. */
function isFlow(line: readonly Child[] | undefined): boolean {
  return line !== undefined && line[0]?.kind !== "block" && line.some(({ piece }) => !isBlank(piece));
}

/** True for a line of one box that is a block in place of a part of a line. */
function isBoxed(line: readonly Child[]): boolean {
  const shown = line.filter(({ piece }) => !isBlank(piece));
  return shown.length === 1 && /^(item|float|absolute|cell)$/.test(shown[0]?.kind ?? "");
}

function kindOf(name: string, style: CSSStyleDeclaration, display: string, layout: Layout): Kind {
  if (display === "inline") return "inline";
  if (display === "contents") return layout === "row" ? "item" : "inline";
  if (display !== "block" && display !== "flex") {
    if (/^(-webkit-)?inline-|^inline flow-root/.test(display)) return "atomic";
    if (display.startsWith("ruby")) return "inline";
  }
  const { position } = style;
  if (position === "absolute" || position === "fixed") return "absolute";
  if (layout === "row") return "item";
  if (layout === "column") return "block";
  if (display === "table-cell") return name === "td" || name === "th" ? "cell" : "item";
  return style.float === "none" ? "block" : "float";
}

function layoutOf(style: CSSStyleDeclaration, display: string): Layout {
  if (display === "block" || display === "inline") return "flow";
  if (display.endsWith("flex")) return style.flexDirection.startsWith("column") ? "column" : "row";
  if (display.endsWith("grid")) return "row";
  return display === "table-row" ? "table" : "flow";
}

function transformed(data: string, transform: string): string {
  if (transform === "none") return data;
  if (transform === "uppercase") return data.toUpperCase();
  if (transform === "lowercase") return data.toLowerCase();
  if (transform !== "capitalize") return data;
  return data.replace(/(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** True for a float or a positioned element that belongs to the line next to it. */
function isInLine(child: Child, children: readonly Child[], index: number): boolean {
  const { kind, piece, element } = child;
  if (isBlank(piece) || (kind !== "float" && kind !== "absolute") || isSolidChild(child)) return false;
  if (kind === "absolute")
    return !piece.isBroken && element !== undefined && (PHRASING.has(element.localName) || isTiny(element));
  if (!isOneLine(piece)) return false;
  const isNear = (other: Child | undefined) => other !== undefined && other.kind !== "block" && other.kind !== "end";
  const before = children.slice(0, index).findLast((other) => !isBlank(other.piece));
  const after = children.slice(index + 1).find((other) => !isBlank(other.piece));
  return (
    (isNear(before) && continuesLine(before?.piece ?? EMPTY, piece)) ||
    (isNear(after) && continuesLine(piece, after?.piece ?? EMPTY))
  );
}

/** True for a box that only screen readers are meant to find. */
function isTiny(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width <= 2 || height <= 2;
}

/** Signs that belong to the figure or word after or before them. */
const OPENING = /[([{/+\-−±\p{Sc}]/u;
const CLOSING = /[)\]}/%.,;:!?°’\p{Sc}]/u;

/** Gap below which boxes touch, as a share of the height of the line. */
const TOUCHING = 0.1;

type Relation = "glue" | "space" | "break";

/** How the content of a child follows that of the one before. */
function relate(before: Child, child: Child, isSpaced: boolean, joined: readonly Child[], isCode: boolean): Relation {
  const [one, other] = [before.piece, child.piece];
  const has = (kind: Kind) => before.kind === kind || child.kind === kind;
  const isAlike = before.kind === child.kind;
  if (has("block")) return "break";
  if (has("cell")) return "glue";
  if (has("absolute")) {
    const isJoined = [before, child].every((each) => each.kind !== "absolute" || joined.includes(each));
    if (!isJoined || (isAlike && !continuesLine(one, other))) return "break";
    return "space";
  }
  if (has("float")) {
    if ([before, child].some((each) => each.kind === "float" && !joined.includes(each))) return "break";
    if (before.kind !== "float") return "space";
    if (child.kind !== "float") return !isSpaced && isDropCap(one, other, lettersOf(before)) ? "glue" : "space";
    return continuesLine(one, other) && !areBeside(before, child) ? "space" : "break";
  }
  if (has("item")) {
    const isLine = !isSolidChild(before) && !isSolidChild(child) && isOneLine(one) && isOneLine(other);
    if (!isLine || !continuesLine(one, other) || areBeside(before, child)) return "break";
    if (isSpaced || one.end === " " || other.start === " ") return "space";
    const isPart =
      lettersOf(before).length === 1 ||
      lettersOf(child).length === 1 ||
      OPENING.test(one.end) ||
      CLOSING.test(other.start);
    return isPart && gapBetween(one, other) < TOUCHING ? "glue" : "space";
  }
  if (isCode) return "glue";
  if (isAlike && before.kind === "atomic" && areStacks(before, child)) return "break";
  if (!areWords(one.end, other.start)) return "glue";
  const canWrap = has("atomic");
  return arePaintedApart(one, other, { inset: insetOf(before, "right") + insetOf(child, "left"), canWrap })
    ? "space"
    : "glue";
}

/** True for columns and cards side by side. */
function areBeside({ element: one, piece }: Child, { element: other, piece: otherPiece }: Child): boolean {
  if (!one || !other || PHRASING.has(nameOf(one)) || PHRASING.has(nameOf(other))) return false;
  return areColumns(one, piece, other, otherPiece);
}

/** True for inline blocks side by side that have lines of their own, as columns and cards do. */
function areStacks(one: Child, other: Child): boolean {
  const isStack = ({ element, piece }: Child) => element !== undefined && !isOneLine(piece);
  return isStack(one) || isStack(other) || areBeside(one, other);
}

function lettersOf({ element, piece }: Child): string {
  const node = element ?? piece.first?.node;
  return (node && textOf(node)?.trim()) ?? "";
}

/** Padding and border of an inline element, which are part of its words, as those of code are. */
function insetOf({ element, kind }: Child, side: "left" | "right"): number {
  if (!element || kind !== "inline") return 0;
  const style = getComputedStyle(element);
  const length = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  return length(`padding-${side}`) + length(`border-${side}-width`);
}
