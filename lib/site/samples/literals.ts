// Literals of programming languages.

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
