// Names and comments of Java.
import { pascalCase } from "./pascal-case.ts";

/** `webhook_url` becomes `webhookUrl`. */
export function javaName(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** The constant of a value: `by_sections` becomes `BY_SECTIONS`, `16:9` becomes `_16X9`. */
export function javaConstant(value: string): string {
  const name = value
    .replace(":", "x")
    .replaceAll(/[^a-zA-Z0-9]/g, "_")
    .toUpperCase();
  if (name === "") return "DEFAULT";
  return /^\d/.test(name) ? `_${name}` : name;
}

/** A documentation comment. Code between backticks is code in HTML, too. */
export function javaComment(text: string, margin = ""): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "&#64;")
    .replaceAll("\\", "&#92;")
    .replaceAll("*/", "*&#47;")
    .replaceAll(/`([^`]*)`/g, "<code>$1</code>");
  const lines = escaped.split("\n");
  if (lines.length === 1) return `${margin}/** ${escaped} */`;
  const items = lines.map((line) => (line.startsWith("- ") ? `<li>${line.slice(2)}` : line));
  return [`${margin}/**`, ...items.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */`].join("\n");
}
