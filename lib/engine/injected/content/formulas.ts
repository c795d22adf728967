/// <reference lib="dom" />
// Finds formulas of KaTeX, MathJax and MathML, and their source.
import { mathText } from "./mathml.ts";

export interface Formula {
  /** TeX, or readable text. */
  readonly source: string;
  readonly isTex: boolean;
  /** True for a formula on lines of its own. */
  readonly isDisplay: boolean;
}

const MATHJAX_2 = /^(MathJax|MathJax_SVG|MathJax_CHTML|mjx-chtml)( |$)/;

/** The formula that an element is; undefined for other elements, and for wrappers around one formula. */
export function readFormula(element: Element, name: string): Formula | undefined {
  if (name === "math") return fromMathml(element, element.getAttribute("display") === "block");
  if (name === "mjx-container") return fromContainer(element);
  if (name !== "span" && name !== "div") return undefined;
  const classes = element.getAttribute("class");
  if (!classes) return undefined;
  if (/(^| )katex($| )/.test(classes)) return fromKatex(element);
  if (MATHJAX_2.test(classes)) return fromMathjax2(element);
  return undefined;
}

function fromKatex(element: Element): Formula | undefined {
  const isDisplay = element.closest(".katex-display") !== null;
  const math = element.querySelector("math");
  return math ? fromMathml(math, isDisplay) : undefined;
}

/** MathJax 3 and 4. */
function fromContainer(element: Element): Formula | undefined {
  const isDisplay = element.getAttribute("display") === "true";
  const tex = element.querySelector("[data-latex]")?.getAttribute("data-latex");
  if (tex) return texFormula(tex, isDisplay);
  const math = element.querySelector("math");
  return math ? fromMathml(math, isDisplay, true) : undefined;
}

/** MathJax 2 keeps the source in a script beside the formula. */
function fromMathjax2(element: Element): Formula | undefined {
  const script = element.id ? document.getElementById(element.id.replace(/-Frame$/, "")) : null;
  if (script?.localName === "script" && /^math\/tex/.test(script.getAttribute("type") ?? ""))
    return texFormula(script.textContent ?? "", /mode=display/.test(script.getAttribute("type") ?? ""));
  const math = element.querySelector("math");
  return math ? fromMathml(math, math.getAttribute("display") === "block", true) : undefined;
}

function fromMathml(math: Element, isDisplay: boolean, asTex = false): Formula | undefined {
  const annotation = math.querySelector('annotation[encoding="application/x-tex"]');
  if (annotation?.textContent?.trim()) return texFormula(annotation.textContent, isDisplay);
  const source = mathText(math, asTex ? "tex" : "text");
  return source === "" ? undefined : { source, isTex: asTex, isDisplay };
}

function texFormula(tex: string, isDisplay: boolean): Formula {
  const withoutComments = tex.replace(/(?<!\\)%.*$/gm, "");
  return { source: withoutComments.replace(/\s+/g, " ").trim(), isTex: true, isDisplay };
}
