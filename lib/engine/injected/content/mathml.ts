// Writes formulas as TeX, or as text that is readable in a line.
import { raisedOrLowered } from "./scripts.ts";

/** A node of a formula: an element of MathML, by its name, with its text if it is a token. */
export interface MathNode {
  readonly name: string;
  readonly text: string;
  readonly children: readonly MathNode[];
}

export type MathNotation = "tex" | "text";

const MAX_DEPTH = 100;
/** Operators with a space on both sides, unless they are a sign. */
const INFIX = /^[=≠≈≡<>≤≥+\-−±∓×÷·⋅∈∉⊂⊆∪∩→⇒⇔↦∝∼:]$/;
const FUNCTIONS = new Set(
  (
    "arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd inf ker lg lim ln log max min sec sin sinh sup tan " +
    "tanh"
  ).split(" "),
);
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

/** A formula as TeX, or as readable text such as `x² = (a + b)/2`. */
export function mathText({ children }: MathNode, notation: MathNotation): string {
  return row(children, notation, 0).replace(/\s+/g, " ").trim();
}

function row(parts: readonly MathNode[], notation: MathNotation, depth: number): string {
  if (depth > MAX_DEPTH) return "";
  const isText = notation === "text";
  let text = "";
  let isAfterOperand = false;
  for (const part of parts) {
    if (part.name !== "mo") {
      const written = write(part, notation, depth);
      const isGlued = isText && /[\p{L}\p{N}]$/u.test(text) && /^\p{L}{2}/u.test(written);
      text += (isGlued ? " " : "") + written;
      isAfterOperand ||= written.trim() !== "";
      continue;
    }
    const operator = part.text;
    const isInfix = isAfterOperand && INFIX.test(operator);
    if (!isText) text += texToken(operator);
    else text += isInfix ? ` ${operator} ` : operator === "," ? ", " : operator;
    isAfterOperand = !isInfix && !/^[([{|,;=<>]$/.test(operator) && (isAfterOperand || operator !== "");
  }
  return text;
}

function texToken(text: string): string {
  if (text === "−") return "-";
  if (/^[a-z]{2,}$/i.test(text)) return FUNCTIONS.has(text) ? `\\${text} ` : `\\mathrm{${text}}`;
  return text.replace(/[{}%#&$_]/g, "\\$&");
}

function write({ name, text, children }: MathNode, notation: MathNotation, depth: number): string {
  const isTex = notation === "tex";
  const part = (index: number) => {
    const child = children[index];
    return child ? row([child], notation, depth + 1).trim() : "";
  };
  const all = () => row(children, notation, depth + 1).trim();
  switch (name) {
    case "mi":
    case "mn":
    case "mo":
      return isTex ? texToken(text) : text;
    case "mtext":
    case "ms":
      return isTex && text !== "" ? `\\text{${text}}` : ` ${text} `;
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
      return isTex ? `\\sqrt{${all()}}` : `√${grouped(all())}`;
    case "mroot":
      return isTex
        ? `\\sqrt[${part(1)}]{${part(0)}}`
        : `${raisedOrLowered(part(1), "raised") ?? ""}√${grouped(part(0))}`;
    case "msup":
      return script(part(0), "", part(1), notation);
    case "msub":
      return script(part(0), part(1), "", notation);
    case "msubsup":
    case "munderover":
      return script(part(0), part(1), part(2), notation);
    case "munder":
      return accented(part(0), part(1), notation) ?? script(part(0), part(1), "", notation);
    case "mover":
      return accented(part(0), part(1), notation) ?? script(part(0), "", part(1), notation);
    case "mtable": {
      const rows = children.map((each) => {
        const cells = each.children.map((cell) => row(cell.children, notation, depth + 1).trim());
        return cells.join(isTex ? " & " : ", ");
      });
      return isTex ? `\\begin{matrix} ${rows.join(" \\\\ ")} \\end{matrix}` : rows.join("; ");
    }
    default:
      return children.length > 0 ? row(children, notation, depth + 1) : isTex ? texToken(text) : text;
  }
}

/** Text that is one factor, or in parentheses. */
function grouped(text: string): string {
  return /^[\p{L}\p{N}.,]+$/u.test(text) && !/\p{L}.*\p{L}/u.test(text) ? text : `(${text})`;
}

function script(base: string, lower: string, upper: string, notation: MathNotation): string {
  if (notation === "tex") {
    const isOne = [...base].length === 1 || /^\\[a-z]+ ?$/.test(base);
    return `${isOne ? base : `{${base}}`}${lower && `_{${lower}}`}${upper && `^{${upper}}`}`;
  }
  const body = /\s/.test(base) && !/^[([].*[)\]]$/.test(base) ? `(${base})` : base;
  const lowered = lower && (raisedOrLowered(lower, "lowered") ?? `_(${lower})`);
  const raised = upper && (raisedOrLowered(upper, "raised") ?? `^(${upper})`);
  return `${body}${lowered}${raised}`;
}

function accented(base: string, mark: string, notation: MathNotation): string | undefined {
  const accent = ACCENTS[mark];
  if (!accent) return undefined;
  return notation === "tex" ? `\\${accent}{${base}}` : `${base}${mark === "→" ? "⃗" : mark}`;
}
