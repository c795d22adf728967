// Renders Markdown to a complete, self-contained HTML document, with GitHub's rules.

import type { Element, ElementContent, Nodes as HtmlNodes, Root as HtmlRoot } from "hast";
import type { Blockquote, Nodes as MarkdownNodes, Root as MarkdownRoot, Paragraph } from "mdast";
import type { VFile } from "vfile";
import { findFormulas, quoteFormulas } from "./formulas.ts";
import { MarkdownTooComplexError } from "./markdown-error.ts";
import { type MarkdownTheme, markdownStyle } from "./markdown-style.ts";
import { InterruptedError, runInterruptible } from "./run-interruptible.ts";
import { findShortcodes, replaceShortcodes } from "./shortcodes.ts";
import { depthExceeds, textContent, walk } from "./syntax-tree.ts";

export interface MarkdownSettings {
  /** @default 5,000 */
  readonly timeoutMs?: number;
  /** @default github */
  readonly theme?: MarkdownTheme;
  /** Comes after the style of the theme. */
  readonly css?: string;
  /** False to keep the source of formulas, for text and Markdown. @default true */
  readonly drawsFormulas?: boolean;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** What is shown as its source. */
  readonly warnings: readonly string[];
}

/**
 * Renders Markdown as GitHub shows it to an HTML5 document that loads nothing but its images. Raw HTML is sanitised as on
 * GitHub. The work is synchronous and blocks the event loop for at most `timeoutMs`. The `title` of its YAML front
 * matter, which is not rendered, or else the first heading becomes the document's title. Formulas are drawn; diagrams stay
 * source until the page draws them. Throws `MarkdownTooComplexError`.
 */
export async function renderMarkdown(
  markdown: string,
  { timeoutMs = 5_000, theme = "github", css = "", drawsFormulas = true }: MarkdownSettings = {},
): Promise<RenderedMarkdown> {
  if (markdown.length > MAX_CHARACTERS) {
    throw new MarkdownTooComplexError(`The Markdown has more than ${MAX_CHARACTERS} characters. Split it.`);
  }
  pipeline ??= loadPipeline();
  const { toTree, toBody } = await pipeline;
  const mathSyntax = markdown.includes("$") ? (await import("./math-syntax.ts")).mathSyntax : undefined;
  const startedAt = performance.now();
  const { tree, givenTitle } = runBounded(timeoutMs, () => toTree(markdown, mathSyntax));
  const remainingMs = timeoutMs - (performance.now() - startedAt);

  const texts = findShortcodes(tree);
  const { emoji } = texts.length > 0 ? await import("./emoji-names.ts") : { emoji: {} };
  const formulas = findFormulas(tree);
  const math = formulas.length > 0 && drawsFormulas ? await import("./draw-formulas.ts") : undefined;
  const mathStyle = (await math?.formulaStyle()) ?? "";
  const { title, body, warnings } = runBounded(remainingMs, () => {
    replaceShortcodes(texts, emoji);
    const title = oneLine(givenTitle) || (firstHeading(tree) ?? "Untitled");
    if (!drawsFormulas) quoteFormulas(formulas);
    const warnings = math?.drawFormulas(formulas) ?? [];
    return { title, warnings, body: toBody(tree) };
  });
  // A style element has no escapes, so its end tag must not occur.
  const style = `${mathStyle}${markdownStyle(theme)}\n${css.replaceAll(/<\/(?=style)/gi, "<\\/")}`;
  return { html: htmlPage({ title, body, css: style }), warnings };
}

const MAX_CHARACTERS = 500_000; // a long novel; the parser may use a kilobyte of memory per character
const MAX_MARKDOWN_DEPTH = 100; // CommonMark parsers commonly stop here; people stop at about ten
const MAX_HTML_DEPTH = 400; // Chromium itself flattens elements nested deeper than 512
const MAX_TABLE_CELLS = 100_000; // every row is filled up to the header, so 2 KB of header can ask for millions
const MAX_HIGHLIGHTED_CHARACTERS = 100_000;
const MAX_HIGHLIGHTED_LINE = 5_000; // minified code: unreadable, and some grammars take quadratic time per line

/**
 * Only a time limit bounds the work completely: the parser is quadratic in unmatched brackets and emphasis, and in the
 * number of lists and quotes (100 KB of ordinary text take about a second, 300 KB five).
 */
function runBounded<T>(timeoutMs: number, work: () => T): T {
  try {
    return runInterruptible(timeoutMs, work);
  } catch (cause) {
    if (!(cause instanceof InterruptedError)) throw cause;
    const message =
      cause.reason === "time"
        ? "The Markdown takes too long to render. Shorten or simplify it."
        : "The Markdown is nested too deeply. Flatten it.";
    throw new MarkdownTooComplexError(message, { cause });
  }
}

let pipeline: ReturnType<typeof loadPipeline> | undefined;

/** Loaded on first use: most captures are not Markdown, and the packages are slow to import. */
async function loadPipeline() {
  const [unified, parse, gfm, frontMatter, toHtml, raw, sanitize, slug, highlight, stringify] = await Promise.all([
    import("unified"),
    import("remark-parse"),
    import("remark-gfm"),
    import("./front-matter.ts"),
    import("remark-rehype"),
    import("rehype-raw"),
    import("rehype-sanitize"),
    import("rehype-slug"),
    import("rehype-highlight"),
    import("rehype-stringify"),
  ]);
  const parser = unified.unified().use(parse.default).use(gfm.default).freeze();
  const processor = unified
    .unified()
    .use(() => refuseExcess)
    .use(() => markAlerts)
    .use(() => stripFormattingAttributes)
    .use(toHtml.default, { allowDangerousHtml: true })
    .use(raw.default)
    .use(() => refuseDeepHtml)
    .use(sanitize.default, githubSchema(sanitize.defaultSchema))
    .use(slug.default)
    .use(() => highlightEachBlock(highlight.default()))
    .use(() => addWordBreaks)
    .freeze();
  const serializer = unified.unified().use(stringify.default, { allowDangerousHtml: true }).freeze();

  const toTree = (markdown: string, mathSyntax: MathSyntax | undefined) => {
    const { title: givenTitle = "", content } = frontMatter.splitFrontMatter(markdown);
    const source = content.replace(/^\uFEFF/, "");
    const forSource = mathSyntax ? parser().use(mathSyntax, source) : parser;
    return { givenTitle, tree: processor.runSync(forSource.runSync(forSource.parse(source)) as MarkdownRoot, source) };
  };
  // What comes from the caller is sanitised; only drawn formulas are raw.
  return { toTree, toBody: (tree: HtmlRoot) => serializer.stringify(tree) };
}

type MathSyntax = typeof import("./math-syntax.ts").mathSyntax;

type Schema = import("rehype-sanitize").Options;

/**
 * GitHub's sanitisation rules, plus the class names of alerts. Highlighting runs afterwards and needs no permission.
 */
function githubSchema(github: Schema): Schema {
  const { attributes, protocols } = github;
  return {
    ...github,
    attributes: {
      ...attributes,
      div: [
        ...(attributes?.["div"] ?? []),
        ["className", "markdown-alert", /^markdown-alert-(note|tip|important|warning|caution)$/],
      ],
      p: [["className", "markdown-alert-title"]],
      code: [["className", /^language-./, "math-display"]],
    },
    // Allows data: URLs for images, because a capture has no site to link them from. Scripts never run in an <img>.
    protocols: { ...protocols, src: [...(protocols?.["src"] ?? []), "data"] },
    // No script of ours reads the document, so ids cannot be clobbered, and links to them keep working in a PDF.
    clobber: [],
    // Removed with their content: unwrapping them would show CSS or code as text.
    strip: [
      "script",
      "style",
      "title",
      "iframe",
      "object",
      "noscript",
      "noembed",
      "noframes",
      "template",
      "svg",
      "math",
    ],
  };
}

function refuseExcess(tree: MarkdownRoot): void {
  refuseDeeperThan(MAX_MARKDOWN_DEPTH, tree);
  let cells = 0;
  for (const node of walk<MarkdownNodes>(tree)) {
    if (node.type === "table") cells += node.children.length * (node.align?.length ?? 0);
  }
  if (cells > MAX_TABLE_CELLS) {
    throw new MarkdownTooComplexError(`The tables have more than ${MAX_TABLE_CELLS} cells. Shorten them.`);
  }
}

function refuseDeepHtml(tree: HtmlRoot): void {
  refuseDeeperThan(MAX_HTML_DEPTH, tree);
}

function refuseDeeperThan(limit: number, tree: MarkdownNodes | HtmlNodes): void {
  if (depthExceeds(limit, tree)) {
    throw new MarkdownTooComplexError(`The Markdown is nested deeper than ${limit} levels. Flatten it.`);
  }
}

const ALERT_MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(\n|$)/i;

/** `> [!NOTE]` alone on the first line of a top-level quote makes it an alert; elsewhere it is text, as on GitHub. */
function markAlerts(tree: MarkdownRoot, file: VFile): void {
  for (const node of tree.children) {
    if (node.type === "blockquote") markAlert(node, String(file.value));
  }
}

function markAlert(quote: Blockquote, source: string): void {
  const [paragraph, ...others] = quote.children;
  if (paragraph?.type !== "paragraph") return;
  const [text, ...inlines] = paragraph.children;
  if (text?.type !== "text" || source[text.position?.start.offset ?? 0] === "\\") return;
  const marker = ALERT_MARKER.exec(text.value);
  const kind = marker?.[1]?.toLowerCase();
  if (marker === null || kind === undefined) return;
  const isAloneOnItsLine = marker[2] === "\n" || inlines.length === 0 || inlines[0]?.type === "break";
  if (!isAloneOnItsLine) return;

  if (inlines[0]?.type === "break") inlines.shift();
  const rest = text.value.slice(marker[0].length);
  paragraph.children = rest === "" ? inlines : [{ ...text, value: rest }, ...inlines];
  const content = paragraph.children.length > 0 ? [paragraph, ...others] : others;
  if (content.length === 0) {
    paragraph.children = [text];
    return;
  }
  const title: Paragraph = {
    type: "paragraph",
    children: [{ type: "text", value: kind[0]?.toUpperCase() + kind.slice(1) }],
    data: { hProperties: { className: ["markdown-alert-title"] } },
  };
  quote.children = [title, ...content];
  quote.data = { hName: "div", hProperties: { className: ["markdown-alert", `markdown-alert-${kind}`] } };
}

const FORMATTING_TAG = /<(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/])[^>]*>?/gi;

/**
 * Strips attributes of formatting elements. HTML re-opens every unclosed one in each following block: n of them and m
 * blocks become n × m elements. Three identical ones is the limit, but different attributes make them different.
 * https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
 */
function stripFormattingAttributes(tree: MarkdownRoot): void {
  for (const node of walk<MarkdownNodes>(tree)) {
    if (node.type === "html") node.value = node.value.replace(FORMATTING_TAG, "<$1>");
  }
}

type Highlight = (tree: HtmlRoot, file: VFile) => void;

/**
 * Highlights each block separately, so that code which a grammar cannot parse stays plain instead of failing the
 * document.
 */
function highlightEachBlock(highlight: Highlight) {
  return (tree: HtmlRoot, file: VFile): void => {
    for (const node of walk<HtmlNodes>(tree)) {
      if (node.type === "element" && node.tagName === "pre") highlightBlock(node, (block) => highlight(block, file));
    }
  };
}

function highlightBlock(pre: Element, highlight: (block: HtmlRoot) => void): void {
  const code = pre.children.find((child): child is Element => child.type === "element" && child.tagName === "code");
  if (code === undefined) return;
  const plain: ElementContent[] = code.children;
  const source = textContent(code);
  if (source.length > MAX_HIGHLIGHTED_CHARACTERS) return;
  if (source.split("\n").some((line) => line.length > MAX_HIGHLIGHTED_LINE)) return;
  try {
    highlight({ type: "root", children: [pre] });
  } catch {
    code.children = plain; // grammars recurse on nested code
  }
  if (depthExceeds(MAX_HTML_DEPTH, pre)) code.children = plain;
}

const LONG_WORD = /\S{24,}/g;
const WORD_PIECES = /[^/?&=._-]{1,16}[/?&=._-]{0,8}|[/?&=._-]{1,8}/g;

/**
 * Adds line-break opportunities to long words in table cells: otherwise one URL makes its column, and the table, wider
 * than the page.
 */
function addWordBreaks(tree: HtmlRoot): void {
  for (const cell of walk<HtmlNodes>(tree)) {
    if (cell.type !== "element" || (cell.tagName !== "td" && cell.tagName !== "th")) continue;
    for (const node of walk<HtmlNodes>(cell)) {
      if (node.type === "element") node.children = node.children.flatMap(withBreaks);
    }
  }
}

function withBreaks(node: ElementContent): ElementContent[] {
  if (node.type !== "text" || node.value.search(LONG_WORD) === -1) return [node];
  const marked = node.value.replace(LONG_WORD, (word) => word.replace(WORD_PIECES, "$&\0"));
  return marked.split("\0").flatMap((value, index): ElementContent[] => {
    const text: ElementContent = { type: "text", value };
    return index === 0 ? [text] : [{ type: "element", tagName: "wbr", properties: {}, children: [] }, text];
  });
}

function firstHeading(tree: HtmlRoot): string | undefined {
  for (const node of walk<HtmlNodes>(tree)) {
    if (node.type !== "element" || !/^h[1-6]$/.test(node.tagName) || node.properties.id === "footnote-label") continue;
    const text = oneLine(textContent(node));
    if (text !== "") return text;
  }
  return undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function htmlPage({ title, body, css }: { title: string; body: string; css: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</title>
<style>${css}</style>
</head>
<body>
<article dir="auto">
${body}
</article>
</body>
</html>
`;
}
