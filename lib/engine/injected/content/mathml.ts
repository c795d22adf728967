/// <reference lib="dom" />
// Writes MathML as TeX, or as text that can be read aloud line by line.
import { raisedOrLowered } from "./scripts.ts";

export type MathNotation = "tex" | "text";

const MAX_DEPTH = 100;
const INVISIBLE = /[\u2061-\u2064\u200b\u200c]/g;
/** Operators with a space on both sides, unless they are a sign. */
const INFIX = /^[=≠≈≡<>≤≥+\-−±∓×÷·⋅∈∉⊂⊆∪∩→⇒⇔↦∝∼:]$/;
const FUNCTIONS =
  /^(sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|lg|exp|lim|max|min|sup|inf|det|dim|gcd|ker|deg|arg)$/;
const ACCENTS: Readonly<Record<string, string>> = {
  "^": "hat",
  ˆ: "hat",
  "¯": "bar",
  "‾": "overline",
  _: "underline",
  "→": "vec",
  "⃗": "vec",
  "~": "tilde",
  "˜": "tilde",
  "˙": "dot",
  "¨": "ddot",
};

/** A formula in MathML as TeX, or as readable text such as `x² = (a + b)/2`. */
export function mathText(math: Element, notation: MathNotation): string {
  return row([...math.children], notation, 0)
    .replace(/\s+/g, " ")
    .trim();
}

function row(parts: readonly Element[], notation: MathNotation, depth: number): string {
  if (depth > MAX_DEPTH) return "";
  let text = "";
  let isAfterOperand = false;
  for (const part of parts) {
    if (part.localName !== "mo") {
      const written = write(part, notation, depth);
      const isGlued = notation === "text" && /[\p{L}\p{N}]$/u.test(text) && /^\p{L}{2}/u.test(written);
      text += (isGlued ? " " : "") + written;
      isAfterOperand ||= written.trim() !== "";
      continue;
    }
    const operator = token(part);
    const isInfix = isAfterOperand && INFIX.test(operator);
    text += isInfix && notation === "text" ? ` ${operator} ` : operatorText(operator, notation);
    if (notation === "text" && operator === ",") text += " ";
    isAfterOperand = !isInfix && !/^[([{|,;=<>]$/.test(operator) && (isAfterOperand || operator !== "");
  }
  return text;
}

function token(element: Element): string {
  return (element.textContent ?? "").replace(INVISIBLE, "").replace(/\s+/g, " ").trim();
}

function operatorText(operator: string, notation: MathNotation): string {
  if (notation === "text") return operator;
  if (/^[{}%#&$_]$/.test(operator)) return `\\${operator}`;
  if (operator === "−") return "-";
  return /^[a-z]{2,}$/i.test(operator) ? functionName(operator) : operator;
}

function functionName(name: string): string {
  return FUNCTIONS.test(name) ? `\\${name} ` : `\\mathrm{${name}}`;
}

function write(element: Element, notation: MathNotation, depth: number): string {
  const isTex = notation === "tex";
  const children = [...element.children];
  const part = (index: number) => {
    const child = children[index];
    return child ? row([child], notation, depth + 1).trim() : "";
  };
  switch (element.localName) {
    case "mi":
      return isTex && [...token(element)].length > 1 ? functionName(token(element)) : token(element);
    case "mn":
      return isTex ? token(element).replace(/([%#&$_])/g, "\\$1") : token(element);
    case "mtext":
    case "ms":
      return isTex && token(element) !== "" ? `\\text{${token(element)}}` : ` ${token(element)} `;
    case "mspace":
      return isTex ? "\\ " : " ";
    case "mphantom":
    case "annotation":
    case "annotation-xml":
    case "none":
    case "mprescripts":
      return "";
    case "semantics":
      return part(0);
    case "mfrac":
      return isTex ? `\\frac{${part(0)}}{${part(1)}}` : `${grouped(part(0))}/${grouped(part(1))}`;
    case "msqrt":
      return isTex
        ? `\\sqrt{${row(children, notation, depth + 1).trim()}}`
        : `√${grouped(row(children, notation, depth + 1).trim())}`;
    case "mroot":
      return isTex
        ? `\\sqrt[${part(1)}]{${part(0)}}`
        : `${raisedOrLowered(part(1), "raised") ?? ""}√${grouped(part(0))}`;
    case "msup":
      return script(part(0), undefined, part(1), notation);
    case "msub":
      return script(part(0), part(1), undefined, notation);
    case "msubsup":
      return script(part(0), part(1), part(2), notation);
    case "munder":
      return overOrUnder(part(0), part(1), undefined, notation);
    case "mover":
      return overOrUnder(part(0), undefined, part(1), notation);
    case "munderover":
      return overOrUnder(part(0), part(1), part(2), notation);
    case "mfenced":
      return `${element.getAttribute("open") ?? "("}${children.map((_, index) => part(index)).join(", ")}${element.getAttribute("close") ?? ")"}`;
    case "mtable": {
      const rows = children.map((each) =>
        [...each.children]
          .map((cell) => row([...cell.children], notation, depth + 1).trim())
          .join(isTex ? " & " : ", "),
      );
      return isTex ? `\\begin{matrix} ${rows.join(" \\\\ ")} \\end{matrix}` : `[${rows.join("; ")}]`;
    }
    default:
      return children.length > 0 ? row(children, notation, depth + 1) : token(element);
  }
}

function grouped(text: string): string {
  return /^[\p{L}\p{N}.,]+$/u.test(text) && !/\p{L}.*\p{L}/u.test(text) ? text : `(${text})`;
}

function script(base: string, lower: string | undefined, upper: string | undefined, notation: MathNotation): string {
  if (notation === "tex") return `${braced(base)}${lower ? `_{${lower}}` : ""}${upper ? `^{${upper}}` : ""}`;
  const body = /^[^\s]*$/.test(base) || /^[([]/.test(base) ? base : `(${base})`;
  const lowered = lower ? (raisedOrLowered(lower, "lowered") ?? `_(${lower})`) : "";
  const raised = upper ? (raisedOrLowered(upper, "raised") ?? `^(${upper})`) : "";
  return `${body}${lowered}${raised}`;
}

function braced(base: string): string {
  return [...base].length > 1 && !/^\\[a-z]+ ?$/.test(base) ? `{${base}}` : base;
}

function overOrUnder(
  base: string,
  under: string | undefined,
  over: string | undefined,
  notation: MathNotation,
): string {
  const accent = over === undefined ? undefined : ACCENTS[over];
  if (accent && under === undefined)
    return notation === "tex" ? `\\${accent}{${base}}` : `${base}${over === "→" ? "⃗" : over}`;
  return script(base, under, over, notation);
}
