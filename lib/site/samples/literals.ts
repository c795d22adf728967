// Literals of programming languages.
import { pieces } from "./curl-sample.ts";

/** JSON is a literal in JavaScript, and its strings are in Python, Go and Ruby, where `#` also needs an escape. */
export function doubleQuoted(text: string): string {
  // Line separators of Unicode end a line in C# and in older JavaScript.
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A value of JSON as Python writes it, on several lines. */
export function pythonLiteral(value: unknown, margin = ""): string {
  const inner = `${margin}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return doubleQuoted(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((each) => pythonLiteral(each, inner))]
    : ["{", "}", Object.entries(value).map(([name, each]) => `${doubleQuoted(name)}: ${pythonLiteral(each, inner)}`)];
  return items.length === 0
    ? `${open}${close}`
    : `${open}${items.map((item) => `\n${inner}${item},`).join("")}\n${margin}${close}`;
}

/** A string of PHP or Ruby in single quotation marks. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** How a language writes a text, a variable of the environment, and what joins them. */
interface Syntax {
  readonly quote: (text: string) => string;
  readonly variable: (name: string) => string;
  readonly join: string;
}

/** An expression of a text that names variables of the shell, such as `$ID`: literals and variables of the environment. */
export function textExpression(text: string, { quote, variable, join }: Syntax): string {
  const parts = pieces(text).map((piece) => ("text" in piece ? quote(piece.text) : variable(piece.variable)));
  return parts.length === 0 ? quote("") : parts.join(join);
}

/** JSON on several lines. */
export function prettyJson(text: string): string {
  return JSON.stringify(JSON.parse(text), undefined, 2);
}

/** A value of JSON as PHP writes it, on several lines. */
export function phpLiteral(value: unknown, margin = ""): string {
  const inner = `${margin}    `;
  if (typeof value === "string") return singleQuoted(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((each) => phpLiteral(each, inner))
    : Object.entries(value).map(([name, each]) => `${singleQuoted(name)} => ${phpLiteral(each, inner)}`);
  return items.length === 0 ? "[]" : `[${items.map((item) => `\n${inner}${item},`).join("")}\n${margin}]`;
}

/** A value of JSON as Ruby writes it, on several lines. */
export function rubyLiteral(value: unknown, margin = ""): string {
  const inner = `${margin}  `;
  if (value === null) return "nil";
  if (typeof value === "string") return rubyString(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((each) => rubyLiteral(each, inner))]
    : ["{", "}", Object.entries(value).map(([name, each]) => `${rubyKey(name)} ${rubyLiteral(each, inner)}`)];
  return items.length === 0 ? `${open}${close}` : `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`;
}

function rubyKey(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? `${name}:` : `${rubyString(name)} =>`;
}

/** A string of Ruby, in which `#` can start an expression. */
export function rubyString(text: string): string {
  return doubleQuoted(text).replaceAll("#", "\\#");
}
