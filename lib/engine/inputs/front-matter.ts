// YAML front matter: the metadata between lines of dashes at the very beginning of a Markdown document.

// Imported statically, because a CommonJS package has other exports for import() in a bundle than in Node.js.
import { type Document, isAlias, isMap, isScalar, parseDocument } from "yaml";

/** A Markdown document without its front matter, and the title in the front matter, if it has one. */
export interface MarkdownSource {
  readonly title?: string;
  readonly content: string;
}

/** Lines of dashes around YAML at the very beginning, as static site generators read it. */
const FRONT_MATTER_START = /^\uFEFF?---[ \t]*\r?\n/;
const FRONT_MATTER_END = /^---[ \t]*\r?$/m;

/**
 * Splits off the YAML front matter and reads its `title`. A block that is not a YAML mapping, or not valid, is Markdown
 * like the rest. Aliases are never expanded, except for a title that is one. Synchronous; may throw `RangeError` for YAML that
 * is nested too deeply for the call stack.
 */
export function splitFrontMatter(markdown: string): MarkdownSource {
  const [start] = FRONT_MATTER_START.exec(markdown) ?? [];
  const rest = markdown.slice(start?.length ?? 0);
  const end = FRONT_MATTER_END.exec(rest);
  if (start === undefined || !end) return { content: markdown };
  // No check for duplicate keys, which takes quadratic time.
  const document = parseDocument(rest.slice(0, end.index), { uniqueKeys: false, logLevel: "silent" });
  const { contents, errors } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (errors.length > 0 || !(isMap(contents) || isEmpty)) return { content: markdown };
  const title = readTitle(document);
  return { content: rest.slice(end.index + end[0].length), ...(title !== undefined && { title }) };
}

/** The title as its author wrote it: `007` and `1.0` are text, too. */
function readTitle(document: Document): string | undefined {
  const node = isMap(document.contents) ? document.contents.get("title", true) : undefined;
  const scalar = isAlias(node) ? node.resolve(document) : node;
  if (!isScalar(scalar) || scalar.value === null) return undefined;
  return typeof scalar.value === "string" ? scalar.value : scalar.source;
}
