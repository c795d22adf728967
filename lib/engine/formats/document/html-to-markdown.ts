// Converts HTML to GitHub Flavored Markdown that reads well as plain text.
import type { Element, ElementContent, Nodes, Root } from "hast";
import type { Text } from "mdast";
import type { Options } from "rehype-remark";
import { withoutCredentials } from "../../errors/target-report.ts";
import { InterruptedError, runInterruptible } from "../../inputs/run-interruptible.ts";
import { depthExceeds, walk } from "../../inputs/syntax-tree.ts";
import { CELL_LINE_END, convertTables } from "./html-tables.ts";

/** The HTML is too long, too deeply nested or too slow to convert. */
export class HtmlTooComplexError extends Error {
  override name = "HtmlTooComplexError";
}

/**
 * Converts an HTML document or fragment. Resolves URLs of links and images against `baseUrl`, and keeps only http,
 * https, mailto and tel. Drops scripts, styles and embedded content. The work is synchronous and blocks the event loop
 * for at most `timeoutMs`. Throws `HtmlTooComplexError`.
 */
export async function htmlToMarkdown(
  html: string,
  { baseUrl, timeoutMs = 5_000 }: { baseUrl?: string; timeoutMs?: number },
): Promise<string> {
  if (html.length > MAX_HTML_CHARACTERS) throw new HtmlTooComplexError(`more than ${MAX_HTML_CHARACTERS} characters`);
  pipeline ??= loadPipeline();
  const convert = await pipeline;
  try {
    return runInterruptible(timeoutMs, () => convert(limitFormatting(html), baseUrl));
  } catch (cause) {
    if (!(cause instanceof InterruptedError)) throw cause;
    throw new HtmlTooComplexError(cause.message, { cause });
  }
}

const MAX_HTML_CHARACTERS = 2_000_000; // without scripts and attributes, the longest articles have half of that
const MAX_ELEMENTS = 200_000; // each takes about 2 KB during conversion
const MAX_DEPTH = 300; // Chromium itself flattens elements nested deeper than 512

let pipeline: ReturnType<typeof loadPipeline> | undefined;

/** Loaded on first use: most captures need no Markdown, and the packages are slow to import. */
async function loadPipeline() {
  const [unified, parse, toMarkdown, gfm, stringify] = await Promise.all([
    import("unified"),
    import("rehype-parse"),
    import("rehype-remark"),
    import("remark-gfm"),
    import("remark-stringify"),
  ]);
  const processor = unified
    .unified()
    .use(parse.default, { fragment: true })
    .use(toMarkdown.default, { handlers: { data: readFormula, [CELL_LINE_END]: writeCellLineEnd } })
    // Aligned columns would pad every row to the longest cell, which can be the whole page.
    .use(gfm.default, { tablePipeAlign: false })
    .use(stringify.default, {
      bullet: "-",
      rule: "-",
      listItemIndent: "one",
      handlers: { inlineMath: writeFormula } as object,
    })
    .freeze();

  return (html: string, baseUrl: string | undefined): string => {
    const tree = processor.parse(html);
    prepareTree(tree, baseUrl);
    return processor.stringify(processor.runSync(tree)).toWellFormed();
  };
}

type Handler = NonNullable<NonNullable<Options["handlers"]>[string]>;

/** Formulas are in TeX, whose characters Markdown must not escape. In a table, a bar would end the cell. */
const readFormula: Handler = (state, formula) => {
  const source = formula.children.map((child) => (child.type === "text" ? child.value : "")).join("");
  const tex = state.inTable ? source.replace(/\\\|/g, "\\Vert ").replace(/\|/g, "\\vert ").trim() : source;
  const sign = formula.properties["display"] === "block" ? "$$" : "$";
  return { type: "inlineMath", value: `${sign}${tex}${sign}` } as unknown as Text;
};

const writeFormula = (formula: { readonly value: string }): string => formula.value;

/** A cell is one line of Markdown; this element shows a line end in it. */
const writeCellLineEnd: Handler = () => ({ type: "html", value: " <br> " });

const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;
const FORMATTING_TAG = /<\/?(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])[^>]*>?/gi;
const FORMATTING = new Set("b big code em font i nobr s small strike strong tt u".split(" "));

/**
 * HTML re-opens every unclosed formatting element in each following block: n of them and m blocks become n × m
 * elements, which exhausts memory before time. So the elements are counted before parsing; above the limit, the
 * document loses its formatting.
 * https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
 */
function limitFormatting(html: string): string {
  if (countElements(html) <= MAX_ELEMENTS) return html;
  const plain = html.replace(FORMATTING_TAG, "");
  if (countElements(plain) > MAX_ELEMENTS) throw new HtmlTooComplexError(`more than ${MAX_ELEMENTS} elements`);
  return plain;
}

/** Upper bound for the number of elements that the HTML becomes. */
function countElements(html: string): number {
  const open = new Map<string, number>();
  let reopened = 0;
  let elements = 0;
  for (const [, slash, tag = ""] of html.matchAll(TAG)) {
    const name = tag.toLowerCase();
    if (!slash) elements += 1 + reopened;
    if (!FORMATTING.has(name)) continue;
    const before = open.get(name) ?? 0;
    const after = Math.max(0, before + (slash ? -1 : 1));
    open.set(name, after);
    reopened += after - before;
  }
  return elements;
}

/** Keeps only what Markdown can express, at a bounded size. */
function prepareTree(tree: Root, baseUrl: string | undefined): void {
  if (depthExceeds(MAX_DEPTH, tree)) throw new HtmlTooComplexError(`nested deeper than ${MAX_DEPTH} levels`);
  for (const node of walk<Nodes>(tree)) {
    delete node.position; // unused, and the tree is copied
    if (!("children" in node)) continue;
    node.children = (node.children as ElementContent[]).flatMap((child) => {
      if (child.type === "comment") return [];
      return child.type === "element" ? adaptElement(child, baseUrl) : child;
    });
  }
  convertTables(tree);
}

const EMBEDDED = new Set(
  (
    "applet audio base canvas embed frame frameset head iframe map math noembed noframes noscript object script select " +
    "style svg template textarea title video"
  ).split(" "),
);

function adaptElement(element: Element, baseUrl: string | undefined): ElementContent[] {
  const { tagName, properties } = element;
  if (EMBEDDED.has(tagName)) return [];
  if (tagName === "menu") return [{ ...element, tagName: "ul" }];
  if (tagName === "a") {
    const href = resolveUrl(properties.href, baseUrl, /^(https?|mailto|tel):$/);
    if (href === undefined || isBlank(element)) return element.children as ElementContent[];
    return [{ ...element, properties: { href } }];
  }
  if (tagName === "img") {
    const alt = String(properties.alt ?? "");
    const src = properties.src === "" ? undefined : resolveUrl(properties.src, baseUrl, /^https?:$/);
    if (src !== undefined) return [{ ...element, properties: { src, alt } }];
    return alt === "" ? [] : [{ type: "text", value: alt }];
  }
  if (EMPHASIS.has(tagName)) return isBlank(element) ? (element.children as ElementContent[]) : trimEmphasis(element);
  return [element];
}

const EMPHASIS = new Set("b del em i mark s strike strong u".split(" "));

/** Moves spaces out of emphasis: in Markdown, emphasis cannot start or end with a space. */
function trimEmphasis(element: Element): ElementContent[] {
  const children = [...element.children];
  const first = children[0];
  const [before = ""] = (first?.type === "text" && /^\s+/.exec(first.value)) || [];
  if (first?.type === "text") children[0] = { ...first, value: first.value.slice(before.length) };
  const last = children.at(-1);
  const trimmed = last?.type === "text" ? last.value.trimEnd() : "";
  const after = last?.type === "text" ? last.value.slice(trimmed.length) : "";
  if (last?.type === "text") children[children.length - 1] = { ...last, value: trimmed };
  const text = (value: string): ElementContent[] => (value === "" ? [] : [{ type: "text", value }]);
  return [...text(before), { ...element, children }, ...text(after)];
}

function resolveUrl(address: unknown, baseUrl: string | undefined, schemes: RegExp): string | undefined {
  if (typeof address !== "string") return undefined;
  const url = URL.parse(address, baseUrl);
  return url && schemes.test(url.protocol) ? withoutCredentials(url.href) : undefined;
}

/** True for an element without text and images, such as the anchor links of headings. */
function isBlank(element: Element): boolean {
  for (const node of walk<Nodes>(element)) {
    if ((node.type === "text" && node.value.trim() !== "") || (node.type === "element" && node.tagName === "img")) {
      return false;
    }
  }
  return true;
}
