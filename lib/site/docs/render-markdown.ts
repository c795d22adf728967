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
import { BASE_PATH, BASE_URL } from "../site-files.ts";
import { pathOfFile } from "./doc-pages.ts";

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly lead: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The plain text of each section, for the search. */
  readonly sections: readonly { readonly id: string; readonly title: string; readonly text: string }[];
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
): RenderedMarkdown {
  const parsed = toHtmlTree.runSync(toHtmlTree.parse(withBaseUrl(markdown))) as Root;
  const title = textOf(elements(parsed).find(({ tagName }) => tagName === "h1"));
  parsed.children = parsed.children.filter((each) => !(each.type === "element" && each.tagName === "h1"));
  const lead = textOf(parsed.children.find((each) => each.type === "element" && each.tagName === "p") as Element);
  for (const element of elements(parsed)) rewriteAddress(element, { file, pictures });
  const sections = textSections(parsed);
  const headings = elements(parsed)
    .filter(({ tagName }) => /^h[23]$/.test(tagName))
    .map((each) => ({
      depth: Number(each.tagName.slice(1)),
      id: String(each.properties["id"]),
      text: textOf(each),
    }));
  addSamples(parsed);
  const highlighted = highlighter.runSync(parsed) as Root;
  decorate(highlighted);
  return {
    title,
    lead,
    html: serializer.stringify(highlighted),
    headings,
    sections,
  };
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
      .map(
        ({ language, code: text }): Element =>
          block(language, {
            type: "element",
            tagName: "pre",
            properties: {},
            children: [
              {
                type: "element",
                tagName: "code",
                properties: { className: [`language-${language}`] },
                children: [{ type: "text", value: `${text}\n` }],
              },
            ],
          }),
      );
    const options = requestedOptions(request);
    const group: Element = {
      type: "element",
      tagName: "div",
      properties: { className: ["samples"], ...(options && { dataTry: playgroundLink(options) }) },
      children: [{ ...block("sh", child), properties: { dataLanguage: "sh" } }, ...others],
    };
    return [group];
  }) as typeof parent.children;
}

function block(language: string, pre: Element): Element {
  return { type: "element", tagName: "div", properties: { dataLanguage: language, hidden: true }, children: [pre] };
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

function textSections(tree: Root): RenderedMarkdown["sections"] {
  const sections = [{ id: "", title: "", texts: [] as string[] }];
  for (const child of tree.children) {
    if (child.type !== "element") continue;
    if (/^h[23]$/.test(child.tagName)) {
      sections.push({ id: String(child.properties["id"]), title: textOf(child), texts: [] });
    } else {
      sections.at(-1)?.texts.push(textOf(child));
    }
  }
  return sections.map(({ id, title, texts }) => ({ id, title, text: texts.join(" ").replaceAll(/\s+/g, " ").trim() }));
}
