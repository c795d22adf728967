/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads metadata of the page: its head, its links, and samples of text by font.
import { documentBody, documentElement } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";
import { openShadowRoots } from "./dom/shadow-roots.ts";

/** Metadata of the document's head. URLs are absolute; texts are cut to the limits. */
export interface Head {
  readonly title: string;
  /** Name without `og:` and value, in document order. */
  readonly openGraph: readonly (readonly [name: string, value: string])[];
  readonly icons: readonly IconLink[];
}

export interface IconLink {
  readonly url: string;
  /** True for `apple-touch-icon`, which is drawn on an opaque square. */
  readonly isTouchIcon: boolean;
  /** The `type` and `sizes` attributes, lower case, empty if there are none. */
  readonly type: string;
  readonly sizes: string;
}

export interface HeadLimits {
  readonly title: number;
  readonly properties: number;
  readonly value: number;
  readonly icons: number;
  readonly address: number;
  /** Elements of each kind that are looked at. */
  readonly elements: number;
}

export function readHead(limits: HeadLimits): Head {
  const root = documentElement();
  const cut = (text: string | null, most: number) => (text ?? "").slice(0, most).toWellFormed();
  const title = cut(readProperty(Document.prototype, "title", document), limits.title);
  const openGraph: [string, string][] = [];
  const icons: IconLink[] = [];
  if (!root) return { title, openGraph, icons };

  const metas = root.getElementsByTagName("meta");
  for (let index = 0; index < Math.min(metas.length, limits.elements); index++) {
    const meta = metas[index] as Element;
    const property = cut(meta.getAttribute("property") ?? meta.getAttribute("name"), 100)
      .trim()
      .toLowerCase();
    if (!property.startsWith("og:") || property.length === 3 || !meta.hasAttribute("content")) continue;
    openGraph.push([property.slice(3), cut(meta.getAttribute("content"), limits.value)]);
    if (openGraph.length === limits.properties) break;
  }

  const links = root.getElementsByTagName("link");
  for (let index = 0; index < Math.min(links.length, limits.elements); index++) {
    const link = links[index] as Element;
    const relations = cut(link.getAttribute("rel"), 100).toLowerCase().split(/\s+/);
    const isTouchIcon = relations.some((relation) => /^apple-touch-icon(-precomposed)?$/.test(relation));
    const href = link.getAttribute("href");
    if (!(isTouchIcon || relations.includes("icon")) || !href || href.length > limits.address) continue;
    const media = link.getAttribute("media");
    const url = URL.parse(href, root.baseURI);
    // The base URL alone can exceed the limit.
    if (!url || url.href.length > limits.address) continue;
    if (!/^(https?|data):$/.test(url.protocol) || (media && !matchMedia(media).matches)) continue;
    const type = cut(link.getAttribute("type"), 100).toLowerCase();
    icons.push({ url: url.href, isTouchIcon, type, sizes: cut(link.getAttribute("sizes"), 100).toLowerCase() });
    if (icons.length === limits.icons) break;
  }
  return { title, openGraph, icons };
}

export interface Link {
  readonly url: string;
  readonly text: string;
}

export interface LinkLimits {
  readonly links: number;
  readonly text: number;
  readonly address: number;
  readonly elements: number;
}

/**
 * The HTTP URLs the document links to, each once, with the first text that is not empty. `found` also counts links beyond
 * `limits.links`, among the first `limits.elements` elements.
 */
export function readLinks(shadowDom: boolean, limits: LinkLimits): { links: Link[]; found: number } {
  const shown = (element: Element): string => {
    const texts = Document.prototype.createTreeWalker.call(document, element, NodeFilter.SHOW_TEXT);
    let text = "";
    while (text.length < limits.text && texts.nextNode()) {
      text += (texts.currentNode as Text).data.slice(0, 4 * limits.text).replace(/\s+/g, " ");
    }
    const instead = () =>
      element.getAttribute("aria-label") ?? element.getAttribute("alt") ?? element.getAttribute("title");
    const pictured = () => element.getElementsByTagName("img")[0]?.getAttribute("alt");
    const said = text.trim() || instead() || pictured() || "";
    return said.slice(0, limits.text).replace(/\s+/g, " ").trim().toWellFormed();
  };

  const root = documentElement();
  const scopes: ParentNode[] = root ? [root, ...(shadowDom ? openShadowRoots(limits.elements) : [])] : [];
  const links = new Map<string, string>();
  const beyond = new Set<string>();
  let looked = 0;
  for (const scope of scopes) {
    const elements = Document.prototype.createTreeWalker.call(document, scope, NodeFilter.SHOW_ELEMENT);
    while (elements.nextNode() && ++looked <= limits.elements) {
      const element = elements.currentNode as Element;
      if (!/^(a|area)$/.test(element.localName)) continue;
      const href = element.getAttribute("href") ?? element.getAttribute("xlink:href");
      if (href === null || href.length > limits.address) continue;
      const url = URL.parse(href, element.baseURI);
      if (!url || !/^https?:$/.test(url.protocol) || url.href.length > limits.address) continue;
      if (links.size < limits.links || links.has(url.href)) links.set(url.href, links.get(url.href) || shown(element));
      else beyond.add(url.href);
    }
  }
  const found = links.size + beyond.size;
  return { links: Array.from(links, ([url, text]) => ({ url: url.toWellFormed(), text })), found };
}

export interface FontSampleLimits {
  readonly samples: number;
  readonly texts: number;
  /** Nodes that DevTools sends when it is requested the fonts of the samples: the siblings of all ancestors. */
  readonly sentNodes: number;
}

/**
 * One element for each combination of font properties and writing system, the one with the most text first; null for
 * those that cost too much to ask DevTools about. Font size does not matter; each writing system can have a fallback font
 * of its own.
 */
export function fontSamples(limits: FontSampleLimits): (Element | null)[] {
  const names =
    "Latin Cyrillic Greek Han Hiragana Katakana Hangul Arabic Hebrew Thai Lao Khmer Myanmar Tibetan Devanagari Bengali " +
    "Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Tamil Telugu Armenian Georgian Ethiopic";
  const scripts = names.split(" ").map((name) => new RegExp(`\\p{Script=${name}}`, "u"));
  const kinds = [...scripts, /\p{Extended_Pictographic}/u];
  const kindsIn = (text: string) => kinds.map((kind) => (kind.test(text) ? 1 : 0)).join("");
  const parentOf = (node: Node) => readProperty(Node.prototype, "parentElement", node);
  const childrenOf = (node: Node) => readProperty(Node.prototype, "childNodes", node);
  interface Setting {
    characters: number;
    element: Element;
  }
  const settings = new Map<string, Setting>();
  const faces = new Map<Element, string>();
  const root = documentBody();
  if (!root) return [];
  const texts = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (let looked = 0; looked < limits.texts && texts.nextNode(); looked++) {
    const { data, parentElement: element } = texts.currentNode as Text;
    const start = data.slice(0, 1_000).trim();
    if (!element || start === "") continue;
    let face = faces.get(element);
    if (face === undefined) {
      const { display, visibility, fontFamily, fontWeight, fontStyle } = getComputedStyle(element);
      const isShown =
        display !== "none" && visibility === "visible" && Element.prototype.getClientRects.call(element).length > 0;
      face = isShown ? [fontFamily.slice(0, 1_000), fontWeight, fontStyle].join("|") : "";
      faces.set(element, face);
    }
    if (face === "") continue;
    const key = `${face}|${kindsIn(start)}`;
    const setting = settings.get(key);
    if (setting) setting.characters += data.length;
    else settings.set(key, { characters: data.length, element });
  }

  const sent = new Set<Element>();
  let nodes = 0;
  const samples: (Element | null)[] = [];
  for (const { element } of [...settings.values()].sort((a, b) => b.characters - a.characters)) {
    const parents: Element[] = [];
    for (let parent = parentOf(element); parent && !sent.has(parent); parent = parentOf(parent)) parents.push(parent);
    const more = parents.reduce((sum, parent) => sum + childrenOf(parent).length, 0);
    if (nodes + more > limits.sentNodes) {
      samples.push(null);
    } else {
      nodes += more;
      for (const parent of parents) sent.add(parent);
      samples.push(element);
    }
    if (samples.length === limits.samples) break;
  }
  return samples;
}
