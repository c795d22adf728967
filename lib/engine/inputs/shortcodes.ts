// Emoji by name in the text of a Markdown document, such as `:tada:`. Code keeps its colons.
import type { Nodes, Root, Text } from "hast";
import { walk } from "./syntax-tree.ts";

const SHORTCODE = /(?<![\p{L}\p{N}_]):([a-z0-9_+-]{1,60}):(?![\p{L}\p{N}_])/gu;

const LITERAL = new Set(["code", "kbd", "pre", "samp", "tt"]);

/** The texts that may have emoji by name. */
export function findShortcodes(tree: Root): Text[] {
  const literal = new Set<object>();
  const texts: Text[] = [];
  for (const node of walk<Nodes>(tree)) {
    if (node.type === "element" && (literal.has(node) || LITERAL.has(node.tagName))) {
      for (const child of node.children) literal.add(child);
    }
    if (node.type === "text" && !literal.has(node) && node.value.search(SHORTCODE) >= 0) texts.push(node);
  }
  return texts;
}

/** Replaces the names that are known; others are text. */
export function replaceShortcodes(texts: readonly Text[], emoji: Readonly<Record<string, string>>): void {
  for (const text of texts) {
    text.value = text.value.replace(SHORTCODE, (shortcode, name: string) =>
      Object.hasOwn(emoji, name) ? (emoji[name] ?? shortcode) : shortcode,
    );
  }
}
