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
