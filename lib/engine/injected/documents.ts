/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Serializes the document: as HTML, as the text a reader sees, and as plain HTML of the visible content.
import { ContentReader } from "./content/content-reader.ts";
import { markupWriter } from "./content/markup-writer.ts";
import { finishText, textWriter } from "./content/text-writer.ts";
import { documentBody, documentElement } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";
import { openShadowRoots } from "./dom/shadow-roots.ts";

/** Serialized content, up to the limit of characters. */
export interface Extract {
  readonly text: string;
  /** True when content beyond the limits was left out. */
  readonly isCut: boolean;
}

export interface ExtractLimits {
  readonly characters: number;
  /** Elements that are searched for open shadow roots. */
  readonly elements: number;
  /** Levels of nesting; deeper content is left out. */
  readonly depth: number;
}

/** The document as HTML, with its doctype; with `shadowDom`, open shadow roots become declarative ones. */
export function documentMarkup(shadowDom: boolean, limits: ExtractLimits): Extract {
  const markup = (node: Node): string => {
    if (!(node instanceof Element)) return new XMLSerializer().serializeToString(node);
    if (!shadowDom) return node.outerHTML;
    const shell = (node.cloneNode(false) as Element).outerHTML;
    const end = `</${node.nodeName.toLowerCase()}>`;
    return `${shell.slice(0, -end.length)}${node.getHTML({ shadowRoots: openShadowRoots(limits.elements) })}${end}`;
  };
  const top = readProperty(Node.prototype, "childNodes", document);
  let text = "";
  for (const node of top) {
    if (text.length <= limits.characters) text += `${markup(node)}${node instanceof DocumentType ? "\n" : ""}`;
  }
  return { text: text.slice(0, limits.characters).toWellFormed(), isCut: text.length > limits.characters };
}

/**
 * The text that a reader of the page can reach, also in closed details and in lists of options; words that are painted on one line
 * are on one line. With `shadowDom`, open shadow roots are read where they are rendered.
 */
export function readText(shadowDom: boolean, limits: ExtractLimits): Extract {
  const body = documentBody();
  const reader = new ContentReader(textWriter, shadowDom, limits);
  const text = body ? finishText(reader.read(body)) : (documentElement()?.textContent ?? "");
  const isCut = reader.isTooLong || text.length > limits.characters;
  return { text: text.slice(0, limits.characters).trim().toWellFormed(), isCut };
}

/**
 * The same content as plain HTML: semantic elements and attributes only, the flattened tree of shadow roots and slots, and other
 * block elements as `div`.
 */
export function visibleMarkup(shadowDom: boolean, limits: ExtractLimits): Extract & { baseUrl: string } {
  const root = documentElement();
  const reader = new ContentReader(markupWriter, shadowDom, limits);
  const text = root ? reader.read(root).toWellFormed() : "";
  return { text, isCut: reader.isTooLong || reader.isTooDeep, baseUrl: root?.baseURI ?? "" };
}
