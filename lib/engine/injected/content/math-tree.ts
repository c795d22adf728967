/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads formulas as trees: from MathML, and from the SVG and the HTML that MathJax 3 and 4 make of it.
import type { MathNode } from "./mathml.ts";

const TOKENS = new Set("mi mn mo mtext ms".split(" "));
const STRUCTURES = new Set(
  (
    "TeXAtom math mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder " +
    "munderover texatom"
  ).split(" "),
);
/** Operators that are never seen: application of a function, multiplication, and the like. */
const INVISIBLE = /[\u2061-\u2064\u200b\u200c]/g;

const MAX_DEPTH = 100;

export function fromMathml(element: Element, depth = 0): MathNode {
  const name = element.localName;
  const children = depth > MAX_DEPTH ? [] : Array.from(element.children, (child) => fromMathml(child, depth + 1));
  const text = children.length === 0 ? cleaned(element.textContent ?? "") : "";
  if (name !== "mfenced") return { name, text, children };
  const sign = (attribute: string, usual: string): MathNode => ({
    name: "mo",
    text: element.getAttribute(attribute) ?? usual,
    children: [],
  });
  const inside = children.flatMap((child, index) => (index > 0 ? [sign("separators", ","), child] : [child]));
  return { name: "mrow", text: "", children: [sign("open", "("), ...inside, sign("close", ")")] };
}

function cleaned(text: string): string {
  return text.replace(INVISIBLE, "").replace(/\s+/g, " ").trim();
}

/** The formula that MathJax has painted; the order of scripts and limits is that of their places. */
export function fromMathjax(element: Element, depth = 0): MathNode {
  const name = structureName(element) ?? "mrow";
  if (TOKENS.has(name)) return { name, text: cleaned(paintedText(element)), children: [] };
  if (depth > MAX_DEPTH) return { name, text: "", children: [] };
  const parts = structuresIn(element, name);
  const isRoot = name === "msqrt" || name === "mroot";
  const nodes = isRoot ? parts.filter((part) => structureName(part) !== "mo" || paintedText(part) !== "√") : parts;
  return { name, text: "", children: ordered(name, nodes).map((node) => fromMathjax(node, depth + 1)) };
}

/** The name that an element has in MathML, without those of wrappers. */
function structureName(element: Element): string | undefined {
  const name = element.getAttribute("data-mml-node") ?? element.localName.replace(/^mjx-/, "");
  return STRUCTURES.has(name) && (element.localName.startsWith("mjx-") || element.localName === "g") ? name : undefined;
}

function structuresIn(element: Element, name: string): Element[] {
  return Array.from(element.children).flatMap((child) => {
    const isWrapper = name === "munderover" && child.localName === "mjx-munder"; // of the base and what is below it
    return structureName(child) && !isWrapper ? [child] : structuresIn(child, name);
  });
}

/** The characters of a token: MathJax names each by its number in Unicode. */
function paintedText(element: Element): string {
  let text = "";
  for (const part of element.querySelectorAll("[data-c], mjx-c, text, mjx-utext")) {
    const code = part.getAttribute("data-c") ?? /(?:^| )mjx-c([0-9A-F]+)/.exec(part.getAttribute("class") ?? "")?.[1];
    const number = Number.parseInt(code ?? "", 16);
    text += number > 0 && number <= 0x10_ffff ? String.fromCodePoint(number) : (part.textContent ?? "");
  }
  return text.normalize("NFKC"); // letters in italics are characters of their own
}

/** The parts in the order of MathML: the base, what is below it, and what is above it. */
function ordered(name: string, parts: readonly Element[]): readonly Element[] {
  const middle = (part: Element) => {
    const { top, bottom } = part.getBoundingClientRect();
    return top + bottom;
  };
  const fromTop = () => [...parts].sort((one, other) => middle(one) - middle(other)) as Element[];
  switch (name) {
    case "msubsup": {
      const [base, ...scripts] = parts;
      const lowest = scripts.sort((one, other) => middle(other) - middle(one));
      return base ? [base, ...lowest] : lowest;
    }
    case "mfrac":
    case "munder":
      return fromTop();
    case "mover":
      return fromTop().reverse();
    case "munderover": {
      const [over, base, under] = fromTop();
      return [base, under, over].filter((part) => part !== undefined);
    }
    case "mroot": {
      const byWidth = [...parts].sort(
        (one, other) => other.getBoundingClientRect().width - one.getBoundingClientRect().width,
      );
      return byWidth;
    }
    default:
      return parts;
  }
}

/** The formula that KaTeX has painted, where it has left no MathML. */
export function fromKatex(element: Element): MathNode {
  return { name: "mrow", text: "", children: [katexNode(element, 0)] };
}

function katexNode(element: Element, depth: number): MathNode {
  const nodes: MathNode[] = [];
  let base: Element | undefined;
  for (const child of depth > MAX_DEPTH ? [] : element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE)
      nodes.push(...katexTokens(cleaned((child as Text).data), element.classList.contains("mathnormal")));
    if (!(child instanceof Element) || /(^| )(strut|pstrut|vlist-s|frac-line|nulldelimiter)( |$)/.test(child.className))
      continue;
    const rows = () => katexRows(child).map((row) => katexNode(row, depth + 1));
    if (child.classList.contains("msupsub")) {
      const [upper, lower] = scriptsOf(child, base).map((row) => row && katexNode(row, depth + 1));
      const of = nodes.pop() ?? EMPTY_ROW;
      const name = upper && lower ? "msubsup" : upper ? "msup" : "msub";
      nodes.push({ name, text: "", children: [of, lower, upper].filter((part) => part !== undefined) });
    } else if (child.classList.contains("op-limits")) {
      const limits = katexRows(child);
      const at = limits.findIndex((row) => row.querySelector(".mop"));
      const parts = [limits[at], limits[at + 1], limits[at - 1]].map((row) =>
        row ? katexNode(row, depth + 1) : EMPTY_ROW,
      );
      nodes.push({ name: "munderover", text: "", children: parts });
    } else if (child.classList.contains("mfrac")) nodes.push({ name: "mfrac", text: "", children: rows() });
    else if (child.classList.contains("sqrt")) nodes.push({ name: "msqrt", text: "", children: rows() });
    else if (child.localName !== "svg") nodes.push(katexNode(child, depth + 1));
    base = child;
  }
  return nodes.length === 1 && nodes[0] ? nodes[0] : { name: "mrow", text: "", children: nodes };
}

const EMPTY_ROW: MathNode = { name: "mrow", text: "", children: [] };

/** Letters in italics are variables of their own. */
function katexTokens(text: string, isItalic: boolean): MathNode[] {
  const parts = text.match(isItalic ? /[\d.]+|\S/gu : /[\d.]+|\p{L}+|\S/gu) ?? [];
  return parts.map((part) => ({
    name: /^\d/.test(part) ? "mn" : /^\p{L}/u.test(part) ? "mi" : "mo",
    text: part,
    children: [],
  }));
}

/** The rows of a stack with text in them, from the top down. */
function katexRows(stack: Element): Element[] {
  const list = stack.querySelector(".vlist");
  const rows = Array.from(list?.children ?? []).filter((row) => cleaned(row.textContent ?? "") !== "");
  const top = (row: Element) => (row.lastElementChild ?? row).getBoundingClientRect().top;
  return rows.sort((one, other) => top(one) - top(other));
}

/** What is above and what is below the middle of the base. */
function scriptsOf(stack: Element, base: Element | undefined): [Element | undefined, Element | undefined] {
  const rows = katexRows(stack);
  if (rows.length > 1) return [rows[0], rows[1]];
  const [row] = rows;
  const middle = (box: DOMRect) => (box.top + box.bottom) / 2;
  const isLower =
    row && base && middle((row.lastElementChild ?? row).getBoundingClientRect()) > middle(base.getBoundingClientRect());
  return isLower ? [undefined, row] : [row, undefined];
}
