/// <reference lib="dom" />
// Finds formulas of KaTeX, MathJax and MathML, and their source in TeX.
import { fromKatex, fromMathjax, fromMathml } from "./math-tree.ts";
import { type MathNode, mathText } from "./mathml.ts";

export interface Formula {
  /** TeX, or readable text. */
  readonly source: string;
  readonly isTex: boolean;
  /** True for a formula on lines of its own. */
  readonly isDisplay: boolean;
}

/** The formula that an element is; undefined for other elements, and for one whose source is unknown. */
export function readFormula(element: Element, name: string): Formula | undefined {
  switch (name) {
    case "math":
      return readMathml(element, element.getAttribute("display") === "block", "text");
    case "mjx-container":
      return readContainer(element);
    case "span":
    case "div": {
      const classes = element.getAttribute("class");
      if (!classes) return undefined;
      if (/(^| )katex($| )/.test(classes)) return readKatex(element);
      return /^(MathJax|mjx-chtml)/.test(classes) ? readMathjax2(element) : undefined;
    }
    default:
      return undefined;
  }
}

/** KaTeX: with the source, or with nothing but what is painted. */
function readKatex(element: Element): Formula | undefined {
  const isDisplay = element.closest(".katex-display") !== null;
  const math = element.querySelector("math");
  return math ? readMathml(math, isDisplay, "tex") : formula(fromKatex(element), isDisplay, "tex");
}

/** MathJax 3 and 4: with the source, with MathML for screen readers, or with nothing but what is painted. */
function readContainer(element: Element): Formula | undefined {
  const isDisplay = element.getAttribute("display") === "true";
  const source = element.querySelector("[data-latex]")?.getAttribute("data-latex");
  if (source) return texFormula(source, isDisplay);
  const math = element.querySelector("math");
  return math ? readMathml(math, isDisplay, "tex") : formula(fromMathjax(element), isDisplay, "tex");
}

/** MathJax 2, which keeps the source in a script next to the formula. */
function readMathjax2(element: Element): Formula | undefined {
  const frame = element.id ? element : element.querySelector('[id^="MathJax-Element-"]');
  const script = frame && document.getElementById(frame.id.replace(/-Frame$/, ""));
  const type = script?.localName === "script" ? script.getAttribute("type") : null;
  if (type?.startsWith("math/tex")) return texFormula(script?.textContent ?? "", type.includes("mode=display"));
  const math = element.querySelector("math");
  return math ? readMathml(math, math.getAttribute("display") === "block", "tex") : undefined;
}

function readMathml(math: Element, isDisplay: boolean, notation: "tex" | "text"): Formula | undefined {
  const annotation = math.querySelector('annotation[encoding="application/x-tex"]')?.textContent?.trim();
  return annotation ? texFormula(annotation, isDisplay) : formula(fromMathml(math), isDisplay, notation);
}

function formula(tree: MathNode, isDisplay: boolean, notation: "tex" | "text"): Formula | undefined {
  const source = mathText(tree, notation);
  return source === "" ? undefined : { source, isTex: notation === "tex", isDisplay };
}

function texFormula(tex: string, isDisplay: boolean): Formula {
  const withoutComments = tex.replace(/(?<!\\)%.*$/gm, "");
  return { source: withoutComments.replace(/\s+/g, " ").trim(), isTex: true, isDisplay };
}
