// Renders a page of the documentation: Markdown to HTML with anchors, highlighted code, samples in several languages, and links of the website.
import { dirname, join, normalize } from "node:path";
import type { Element, ElementContent, Root } from "hast";
import rehypeHighlight from "rehype-highlight";
import rehypeRaw from "rehype-raw";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { playgroundLink, requestedOptions } from "../playground-link.ts";
import { codeSamples } from "../samples/code-samples.ts";
import { parseCurl } from "../samples/http-request.ts";
import { sampleLanguages } from "../samples/sample-languages.ts";
import { BASE_PATH, BASE_URL } from "../site-files.ts";
import { pathOfFile } from "./doc-pages.ts";
import { simplifyHighlighting } from "./highlighted-code.ts";

export interface MarkdownHeading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** What the search reads of a page. */
export interface PageText {
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly lead: string;
  readonly sections: readonly TextSection[];
}

export interface RenderedDocument extends PageText {
  readonly html: string;
  readonly headings: readonly MarkdownHeading[];
}

/** A heading of the second or third level and what is below it; the first section of a page has no heading. */
export interface TextSection {
  readonly id: string;
  readonly title: string;
  /** The plain text as runs: prose at even indices, code at odd ones. */
  readonly runs: readonly string[];
}

/** The address that the documentation names in its commands, which is that of `npm start`. */
const DOCUMENTED_URL = "http://127.0.0.1:3000";

// Made once: the highlighter registers the grammars of 37 languages, and a page renders hundreds of short texts.
const toHtmlTree = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSlug)
  .freeze();
const highlighter = unified()
  .use(rehypeHighlight, { detect: false, plainText: ["mermaid", "text", "txt"] })
  .freeze();
const serializer = unified().use(rehypeStringify, { allowDangerousHtml: true }).freeze();

/**
 * Renders Markdown of the file, relative to the project, whose links are relative to it. `pictures` are the names of the
 * assets of lib/site/web/pictures, by their file.
 */
export function renderDocument(
  file: string,
  markdown: string,
  pictures: ReadonlyMap<string, string> = new Map(),
): RenderedDocument {
  const { tree: parsed, text } = parse(markdown);
  for (const element of elements(parsed)) rewriteAddress(element, { file, pictures });
  const headings = elements(parsed)
    .filter(({ tagName }) => /^h[23]$/.test(tagName))
    .map((each) => ({
      depth: Number(each.tagName.slice(1)),
      id: String(each.properties["id"]),
      text: textOf(each),
    }));
  groupLanguages(parsed);
  addSamples(parsed);
  const highlighted = highlighter.runSync(parsed) as Root;
  simplifyHighlighting(highlighted);
  decorate(highlighted);
  return { ...text, html: serializer.stringify(highlighted), headings };
}

/** The text of a page, in a fraction of the time that rendering takes. */
export const readPageText = (markdown: string): PageText => parse(markdown).text;

/** The tree of a page without its title, which the layout shows. */
function parse(markdown: string): { readonly tree: Root; readonly text: PageText } {
  const tree = toHtmlTree.runSync(toHtmlTree.parse(withBaseUrl(markdown))) as Root;
  const title = textOf(elements(tree).find(({ tagName }) => tagName === "h1"));
  tree.children = tree.children.filter((each) => !(each.type === "element" && each.tagName === "h1"));
  const lead = textOf(tree.children.find((each) => each.type === "element" && each.tagName === "p") as Element);
  return { tree, text: { title, lead, sections: textSections(tree) } };
}

/** One paragraph or sentence of Markdown as HTML without the paragraph. */
export function renderInline(markdown: string, file = "docs/reference/options.md"): string {
  return renderDocument(file, markdown)
    .html.trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}

/** One block of code, highlighted. */
export function renderCode(language: string, code: string): string {
  return renderDocument("docs/README.md", `\`\`\`\`${language}\n${code}\n\`\`\`\``).html;
}

export function withBaseUrl(markdown: string): string {
  return markdown.replaceAll(DOCUMENTED_URL, BASE_URL);
}

function elements(node: Root | Element): Element[] {
  return node.children.flatMap((child) => (child.type === "element" ? [child, ...elements(child)] : []));
}

function textOf(node: Root | ElementContent | undefined): string {
  if (!node) return "";
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map((child) => textOf(child as ElementContent)).join("") : "";
}

const PICTURES = "lib/site/web/pictures/";

/** The placeholder in an address, as the parser of Markdown encodes it. */
const ENCODED_BASE_URL = encodeURI(BASE_URL).replace(/^%25/, "%");

/** Links between files become links between pages. A link to a file that the website does not show becomes its text. */
function rewriteAddress(
  element: Element,
  { file, pictures }: { readonly file: string; readonly pictures: ReadonlyMap<string, string> },
): void {
  const name = element.tagName === "a" ? "href" : element.tagName === "img" ? "src" : undefined;
  const address = name && element.properties[name];
  if (name === undefined || typeof address !== "string" || /^(\w+:|#)/.test(address)) return;
  if (address.startsWith(ENCODED_BASE_URL)) {
    element.properties[name] = `${BASE_URL}${address.slice(ENCODED_BASE_URL.length)}`;
    return;
  }
  const [target = "", anchor] = address.split("#");
  const targetFile = normalize(join(dirname(file), target));
  const picture = targetFile.startsWith(PICTURES) ? pictures.get(targetFile.slice(PICTURES.length)) : undefined;
  const path = picture === undefined ? pathOfFile(targetFile) : `/assets/${picture}`;
  if (path === undefined) {
    element.tagName = "span";
    element.properties = {};
    return;
  }
  element.properties[name] = `${BASE_PATH}${path}${anchor === undefined ? "" : `#${anchor}`}`;
}

const NOT_RUN = "Our tests don't run this sample.";

/** Adds the samples in other languages to each block that is one request, hidden until the script of the page shows them. */
function addSamples(parent: Root | Element): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== "element") return [child];
    const code = child.tagName === "pre" && (child.children[0] as Element | undefined);
    if (!code || !hasClass(code, "language-sh")) {
      addSamples(child);
      return [child];
    }
    const request = parseCurl(textOf(code).trim());
    if (!request?.url.startsWith(BASE_URL)) return [child];
    const others = codeSamples(request)
      .filter(({ language }) => language !== "sh")
      .map(({ language, code: text, install, isUntested }) =>
        block(language, [
          ...(isUntested ? [element("p", ["note"], NOT_RUN)] : []),
          ...(install === undefined ? [] : [element("p", ["install"], element("code", [], install))]),
          element("pre", [], element("code", [`language-${language}`], `${text}\n`)),
        ]),
      );
    const options = requestedOptions(request);
    const group: Element = {
      type: "element",
      tagName: "div",
      properties: { className: ["samples"], ...(options && { dataTry: playgroundLink(options) }) },
      children: [{ ...block("sh", [child]), properties: { dataLanguage: "sh" } }, ...others],
    };
    return [group];
  }) as typeof parent.children;
}

/** Makes one group with tabs of blocks that show the same in different languages, one right behind the other. */
function groupLanguages(root: Root): void {
  const groups: Root["children"] = [];
  let group: Element | undefined;
  for (const child of root.children) {
    const language = sampleLanguage(child);
    if (language === undefined) {
      if (child.type !== "text" || child.value.trim() !== "") group = undefined;
      groups.push(child);
      continue;
    }
    if (!group) {
      group = { type: "element", tagName: "div", properties: { className: ["samples"] }, children: [] };
      groups.push(group);
    }
    const panel = block(language, [child as Element]);
    delete panel.properties["hidden"]; // without the script of the page, all of them are readable
    group.children.push(panel);
  }
  root.children = groups.map((each) => {
    const isAlone = each.type === "element" && hasClass(each, "samples") && each.children.length === 1;
    return isAlone ? ((each.children[0] as Element).children[0] as Element) : each;
  });
}

/** The language of a block of code that can be one of several; undefined for commands, which get samples of their own. */
function sampleLanguage(node: Root["children"][number]): string | undefined {
  const code = node.type === "element" && node.tagName === "pre" && (node.children[0] as Element | undefined);
  if (!code) return undefined;
  return Object.keys(sampleLanguages).find((each) => each !== "sh" && hasClass(code, `language-${markdownName(each)}`));
}

/** How Markdown names a language of the samples. */
function markdownName(language: string): string {
  return { javascript: "js", typescript: "ts" }[language] ?? language;
}

function block(language: string, children: Element[]): Element {
  return { type: "element", tagName: "div", properties: { dataLanguage: language, hidden: true }, children };
}

function element(tagName: string, className: string[], child: Element | string): Element {
  const children: ElementContent[] = [typeof child === "string" ? { type: "text", value: child } : child];
  return { type: "element", tagName, properties: className.length > 0 ? { className } : {}, children };
}

function hasClass(element: Element, name: string): boolean {
  const { className } = element.properties;
  return Array.isArray(className) && className.includes(name);
}

/** Tables scroll by themselves, headings have a link to themselves, and code can be scrolled with the keyboard. */
function decorate(parent: Root | Element): void {
  parent.children = (parent.children as ElementContent[]).map((child): ElementContent => {
    if (child.type !== "element") return child;
    decorate(child);
    if (child.tagName === "th" && textOf(child) === "") child.tagName = "td"; // a header names something
    if (child.tagName === "pre") child.properties["tabIndex"] = 0;
    if (/^h[2-4]$/.test(child.tagName)) child.children.push(anchorLink(child));
    if (child.tagName !== "table") return child;
    return {
      type: "element",
      tagName: "div",
      properties: { className: ["table"], tabIndex: 0, role: "group", ariaLabel: "Table" },
      children: [child],
    };
  }) as typeof parent.children;
}

function anchorLink(heading: Element): Element {
  return {
    type: "element",
    tagName: "a",
    properties: {
      className: ["anchor"],
      href: `#${heading.properties["id"]}`,
      ariaLabel: `Link to “${textOf(heading)}”`,
    },
    children: [{ type: "text", value: "#" }],
  };
}

function textSections(tree: Root): TextSection[] {
  const sections: { id: string; title: string; runs: TextRun[] }[] = [{ id: "", title: "", runs: [] }];
  for (const child of tree.children) {
    if (child.type !== "element") continue;
    if (/^h[23]$/.test(child.tagName)) {
      sections.push({ id: String(child.properties["id"]), title: textOf(child), runs: [] });
    } else {
      sections.at(-1)?.runs.push(...textRuns(child), { text: " ", isCode: false });
    }
  }
  return sections.map((section) => ({ ...section, runs: alternating(section.runs) }));
}

interface TextRun {
  readonly text: string;
  readonly isCode: boolean;
}

function textRuns(node: ElementContent, isInCode = false): TextRun[] {
  if (node.type === "text") return [{ text: node.value, isCode: isInCode }];
  if (node.type !== "element") return [];
  return node.children.flatMap((child) => textRuns(child, isInCode || node.tagName === "code"));
}

/** Joins adjacent runs of the same kind, with prose at even indices and code at odd ones. */
function alternating(runs: readonly TextRun[]): string[] {
  const joined: string[] = [""];
  for (const { text, isCode } of runs) {
    if ((joined.length % 2 === 0) === isCode) joined[joined.length - 1] += text;
    else joined.push(text);
  }
  return joined.map((text) => text.replaceAll(/\s+/g, " "));
}

/** The plain text of Markdown without headings, as runs of prose and code. */
export function markdownRuns(markdown: string): readonly string[] {
  return readPageText(markdown).sections[0]?.runs ?? [];
}
