/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads what a reader of the page can reach, in document order, and decides by the painted boxes which words are on one line.
import { readProperty } from "../dom/read-property.ts";
import type { ContentWriter, TextStyle } from "./content-writer.ts";
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
import { EMPTY, elementPiece, isBlank, type Piece } from "./piece.ts";
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

interface Surroundings {
  readonly text: TextStyle;
  readonly transform: (data: string) => string;
  readonly isShown: boolean;
  /** How the parent lays out its children. */
  readonly layout: "flow" | "row" | "column" | "table";
  readonly depth: number;
}

/** Elements whose content is never a part of the line beside it. */
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
    "audio canvas datalist embed frame head iframe map meter object progress script selectedcontent style svg template textarea " +
    "video"
  ).split(" "),
);

const childrenOf = (node: Node) => readProperty(Node.prototype, "childNodes", node);

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
    const child = this.#readElement(root, {
      text: { collapse: "collapse", isCode: false },
      transform: (data) => data,
      isShown: true,
      layout: "flow",
      depth: 0,
    });
    return child ? this.#write(child, true) : "";
  }

  #readText(node: Text, { text, transform, isShown }: Surroundings): Child | undefined {
    const data = node.data.slice(0, this.#limits.characters);
    if (!isShown || data === "") return undefined;
    this.#size += data.length;
    const from = data.search(/[^ \t\n\r\f]/);
    const keepsLines = text.collapse !== "collapse";
    const content = this.#writer.text(transform(data), text);
    const base = { kind: "text", element: undefined, display: "" } as const;
    if (from === -1) {
      const edge = keepsLines && data.includes("\n") ? "\n" : " ";
      return { ...base, piece: { ...EMPTY, content, start: edge, end: edge, isBroken: edge === "\n" } };
    }
    const trimmed = data.trimEnd();
    const to = trimmed.length - (/[\udc00-\udfff]$/.test(trimmed) ? 2 : 1);
    const piece = {
      content,
      start: from > 0 ? " " : String.fromCodePoint(data.codePointAt(0) ?? 32),
      end: trimmed.length < data.length ? " " : data.slice(to),
      first: { node, offset: from },
      last: { node, offset: Math.max(0, to) },
      isBroken: keepsLines && trimmed.slice(from).includes("\n"),
      hasBlock: false,
      isSolid: false,
    };
    return { ...base, piece };
  }

  #readElement(element: Element, around: Surroundings): Child | undefined {
    const name = readProperty(Element.prototype, "localName", element);
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none" || (name === "noscript" && !element.checkVisibility())) return undefined;
    if (around.depth > this.#limits.depth) {
      this.isTooDeep = true;
      return undefined;
    }
    this.#size += 10; // about the length of its tags
    const isShown = style.visibility === "visible";
    const kind = kindOf(name, style, display, around);
    if (name === "br") return { kind: "end", piece: EMPTY, element, display };
    const child = (piece: Piece): Child => ({ kind, piece, element, display });

    const replaced = this.#writer.replaced(element, isShown);
    if (replaced) {
      if (replaced.content === "") return undefined;
      const edge = replaced.isBlock ? "\n" : "\ufffc";
      const piece = { ...elementPiece(element, replaced.content, edge), hasBlock: replaced.isBlock };
      return { ...child(piece), kind: replaced.isBlock ? "block" : kind };
    }
    if (UNREAD.has(name)) return name === "svg" && isShown ? this.#readDrawing(element, kind) : undefined;
    const formula = isShown ? readFormula(element, name) : undefined;
    if (formula) {
      const piece = elementPiece(element, this.#writer.formula(formula), formula.isDisplay ? "\n" : "$");
      return { ...child({ ...piece, hasBlock: formula.isDisplay }), kind: formula.isDisplay ? "block" : kind };
    }
    if (name === "select") return { ...child(this.#readOptions(element, around)), kind: "block" };

    const side = kind === "inline" ? scriptSide(name, style.verticalAlign) : undefined;
    const inner = this.#readChildren(this.#nodesIn(element), {
      text: { collapse: style.whiteSpaceCollapse, isCode: around.text.isCode || name === "pre" },
      transform: transformBy(style.textTransform),
      isShown,
      layout: display === "contents" ? around.layout : layoutOf(style, display),
      depth: around.depth + 1,
    });
    if (side && !isBlank(inner)) return child(this.#raiseOrLower(element, side, inner));
    return child(inner);
  }

  #nodesIn(element: Element): Iterable<Node> {
    if (this.#shadowDom) {
      const root = element.shadowRoot;
      if (root instanceof ShadowRoot) return childrenOf(root);
      if (element instanceof HTMLSlotElement) {
        const assigned = element.assignedNodes();
        if (assigned.length > 0) return assigned;
      }
    }
    // Styles of the page can hide content until a script shows it; that of closed details is hidden by a part of these.
    if (getComputedStyle(element).contentVisibility === "hidden") return [];
    return childrenOf(element);
  }

  #readChildren(nodes: Iterable<Node>, inside: Surroundings): Piece {
    const children: Child[] = [];
    for (const node of nodes) {
      if (this.#size > this.#limits.characters) {
        this.isTooLong = true;
        break;
      }
      const isText = node.nodeType === Node.TEXT_NODE;
      const child = isText
        ? this.#readText(node as Text, inside)
        : node.nodeType === Node.ELEMENT_NODE
          ? this.#readElement(node as Element, inside)
          : undefined;
      if (!child) continue;
      if (isText && inside.layout === "row") children.push({ ...child, kind: "item" });
      else children.push(child);
    }
    return this.#join(children, inside);
  }

  /** Joins the children of one element: those on one line with or without a space, others as lines of their own. */
  #join(children: readonly Child[], { layout, text }: Surroundings): Piece {
    const [only] = children;
    if (children.length === 1 && only && (only.kind === "text" || only.kind === "inline")) {
      return only.kind === "text" ? only.piece : this.#asPiece([only], [""], false);
    }
    const joined = new Set(children.filter((child, index) => isInLine(child, children, index)));
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
      const relation = kind === "end" || !before ? "glue" : relate(before, child, isSpaced, joined, text.isCode);
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
    let hasEnded = false;
    let isBroken = false;
    const shown: Piece[] = [];
    line.forEach((child, index) => {
      content += glue[index] + (child.kind === "end" ? this.#writer.lineEnd : this.#write(child, isBlock));
      if (child.kind === "end") hasEnded = shown.length > 0;
      else if (!isBlank(child.piece)) {
        isBroken ||= hasEnded || child.piece.isBroken;
        shown.push(child.piece);
      }
    });
    const edges = line.filter(({ kind, piece }) => kind === "end" || piece.content !== "");
    const edge = (child: Child | undefined, side: "start" | "end") =>
      child === undefined ? "" : child.kind === "end" ? "\n" : child.piece[side];
    return {
      content,
      start: edge(edges[0], "start"),
      end: edge(edges.at(-1), "end"),
      first: shown[0]?.first,
      last: shown.at(-1)?.last,
      isBroken,
      hasBlock: isBlock || shown.some(({ hasBlock }) => hasBlock) || line.some(isAlwaysBlock),
      isSolid: line.some(isSolid),
    };
  }

  #write({ element, piece, kind, display }: Child, isBlock: boolean): string {
    if (!element || kind === "end")
      return isBlock && kind === "item" ? this.#writer.block(piece.content) : piece.content;
    const name = readProperty(Element.prototype, "localName", element);
    if (kind === "inline" || kind === "atomic" || (!isBlock && !ALWAYS_BLOCKS.has(name) && kind !== "block")) {
      const isFlat = kind !== "inline" && piece.hasBlock && !piece.isBroken && !piece.isSolid;
      return this.#writer.inline(element, piece.content, isFlat);
    }
    return this.#writer.element(element, piece.content, display);
  }

  #raiseOrLower(element: Element, side: "raised" | "lowered", inner: Piece): Piece {
    const plain = readProperty(Node.prototype, "textContent", element)?.replace(/\s+/g, " ").trim() ?? "";
    const links =
      this.#writer.isLink(element) || [...element.querySelectorAll("a")].some((link) => this.#writer.isLink(link));
    const script = raisedOrLowered(plain, side);
    if (script === undefined) return { ...inner, content: ` ${inner.content}`, start: " " }; // words in small letters
    const edges = { start: "^", end: "^" };
    if (!links)
      return { ...inner, ...edges, content: this.#writer.text(script, { collapse: "collapse", isCode: false }) };
    if (!toScript(plain, side)) return { ...inner, ...edges };
    return {
      ...inner,
      ...edges,
      content: inner.content.replace(
        /(^|>)([^<]*)/g,
        (_, tag: string, text: string) => tag + (toScript(text.trim(), side) ?? text),
      ),
    };
  }

  /** The options of a list, each on a line of its own. */
  #readOptions(select: Element, around: Surroundings): Piece {
    const lines: string[] = [];
    const text = { collapse: "collapse", isCode: false };
    for (const option of select.querySelectorAll("option, optgroup")) {
      if (getComputedStyle(option).display === "none" || !around.isShown) continue;
      const label = option instanceof HTMLOptionElement ? option.label : (option.getAttribute("label") ?? "");
      if (label.trim() !== "") lines.push(this.#writer.text(label, text));
      this.#size += label.length + 10;
      if (this.#size > this.#limits.characters) break;
    }
    if (lines.length === 0) return EMPTY;
    return { ...elementPiece(select, this.#writer.options(lines), "\n"), isBroken: lines.length > 1, hasBlock: true };
  }

  /** The texts of a drawing. */
  #readDrawing(drawing: Element, kind: Kind): Child | undefined {
    const texts: string[] = [];
    for (const text of drawing.querySelectorAll("text, foreignObject")) {
      if (!text.checkVisibility({ visibilityProperty: true }) || text.parentElement?.closest("text, foreignObject"))
        continue;
      const data = (text.textContent ?? "").replace(/\s+/g, " ").trim();
      if (data !== "") texts.push(this.#writer.text(data, { collapse: "collapse", isCode: false }));
      this.#size += data.length;
      if (this.#size > this.#limits.characters) break;
    }
    if (texts.length === 0) return undefined;
    return { kind, piece: elementPiece(drawing, ` ${texts.join(" ")} `, " "), element: undefined, display: "inline" };
  }
}

const SPACE = { content: " ", start: " ", end: " " };

function isAlwaysBlock({ element, kind }: Child): boolean {
  return element !== undefined && kind !== "inline" && ALWAYS_BLOCKS.has(element.localName);
}

/** True for a child that is such an element or contains one. */
function isSolid(child: Child): boolean {
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

function kindOf(name: string, style: CSSStyleDeclaration, display: string, around: Surroundings): Kind {
  if (/^(-webkit-)?inline-|^inline flow-root/.test(display)) return "atomic";
  if (display === "contents" && around.layout === "row") return "item";
  if (/^(inline|contents|ruby)/.test(display)) return "inline";
  if (/^(absolute|fixed)$/.test(style.position)) return "absolute";
  if (around.layout === "row" || around.layout === "column") return around.layout === "row" ? "item" : "block";
  if (display === "table-cell") return name === "td" || name === "th" ? "cell" : "item";
  return style.float === "none" ? "block" : "float";
}

function layoutOf(style: CSSStyleDeclaration, display: string): Surroundings["layout"] {
  if (/flex$/.test(display)) return /^column/.test(style.flexDirection) ? "column" : "row";
  if (/grid$/.test(display)) return "row";
  return display === "table-row" ? "table" : "flow";
}

function transformBy(transform: string): (data: string) => string {
  if (transform === "uppercase") return (data) => data.toUpperCase();
  if (transform === "lowercase") return (data) => data.toLowerCase();
  if (transform !== "capitalize") return (data) => data;
  return (data) => data.replace(/(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** True for a float or a positioned element that belongs to the line beside it. */
function isInLine(child: Child, children: readonly Child[], index: number): boolean {
  const { kind, piece, element } = child;
  if (isBlank(piece) || (kind !== "float" && kind !== "absolute") || isSolid(child)) return false;
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

type Relation = "glue" | "space" | "break";

/** How the content of a child follows that of the one before. */
function relate(before: Child, child: Child, isSpaced: boolean, joined: ReadonlySet<Child>, isCode: boolean): Relation {
  const [one, other] = [before.piece, child.piece];
  const kinds = new Set([before.kind, child.kind]);
  if (kinds.has("block")) return "break";
  if (kinds.has("cell")) return "glue";
  if (kinds.has("absolute")) {
    const isJoined = [before, child].every((each) => each.kind !== "absolute" || joined.has(each));
    if (!isJoined || (kinds.size === 1 && !continuesLine(one, other))) return "break";
    return "space";
  }
  if (kinds.has("float")) {
    if ([before, child].some((each) => each.kind === "float" && !joined.has(each))) return "break";
    if (before.kind !== "float") return "space";
    if (child.kind !== "float") return !isSpaced && isDropCap(one, other, lettersOf(before)) ? "glue" : "space";
    return continuesLine(one, other) && !areBeside(before, child) ? "space" : "break";
  }
  if (kinds.has("item")) {
    const isLine = !isSolid(before) && !isSolid(child) && isOneLine(one) && isOneLine(other);
    if (!isLine || !continuesLine(one, other) || areBeside(before, child)) return "break";
    if (isSpaced || one.end === " " || other.start === " ") return "space";
    const isLetter = lettersOf(before).length === 1 || lettersOf(child).length === 1;
    return isLetter && gapBetween(one, other) < 0.1 ? "glue" : "space";
  }
  if (isCode) return "glue";
  if (kinds.size === 1 && before.kind === "atomic" && areStacks(before, child)) return "break";
  if (!areWords(one.end, other.start)) return "glue";
  const canWrap = kinds.has("atomic");
  return arePaintedApart(one, other, { inset: insetOf(before, "right") + insetOf(child, "left"), canWrap })
    ? "space"
    : "glue";
}

function areBeside({ element: one, piece }: Child, { element: other, piece: otherPiece }: Child): boolean {
  return one !== undefined && other !== undefined && areColumns(one, piece, other, otherPiece);
}

/** True for inline blocks side by side that have lines of their own, as columns and cards do. */
function areStacks(one: Child, other: Child): boolean {
  const isStack = ({ element, piece }: Child) => element !== undefined && !isOneLine(piece);
  return isStack(one) || isStack(other) || areBeside(one, other);
}

function lettersOf({ element, piece }: Child): string {
  const node = element ?? piece.first?.node;
  return (node && readProperty(Node.prototype, "textContent", node)?.trim()) ?? "";
}

/** Padding and border of an inline element, which are part of its words, as those of code are. */
function insetOf({ element, kind }: Child, side: "left" | "right"): number {
  if (!element || kind !== "inline") return 0;
  const style = getComputedStyle(element);
  const length = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  return length(`padding-${side}`) + length(`border-${side}-width`);
}
