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

/** A string of PHP, in which nothing else needs an escape. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
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
