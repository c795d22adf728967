/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Serializes the document: as HTML, as the text a reader sees, and as plain HTML of the visible content.
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
 * The text a reader sees. `innerText` ignores shadow roots, so with `shadowDom` elements that contain one are read node
 * by node.
 */
export function readText(shadowDom: boolean, limits: ExtractLimits): Extract {
  const body = documentBody();
  const whole = body ?? documentElement();
  const parentOf = (node: Node) => readProperty(Node.prototype, "parentNode", node);
  const innerText = (element: HTMLElement) => readProperty(HTMLElement.prototype, "innerText", element);
  const composite = new Set<Node>();
  for (const root of shadowDom ? openShadowRoots(limits.elements) : []) {
    let node: Node | null = root.host;
    for (; node && !composite.has(node); node = node instanceof ShadowRoot ? node.host : parentOf(node)) {
      composite.add(node);
    }
    // Elements that contain a slot show nodes from elsewhere.
    for (const slot of root.querySelectorAll("slot")) {
      for (let part: Node | null = slot; part && !composite.has(part); part = parentOf(part)) composite.add(part);
    }
  }

  // Noncharacters mark where a line or paragraph ends; several in a row count as one.
  const line = "\ufdd0";
  const paragraph = "\ufdd1";
  const read = (node: Node, depth: number): string => {
    if (node instanceof Text) {
      const parent = parentOf(node);
      const style = getComputedStyle(parent instanceof ShadowRoot ? parent.host : (parent as Element));
      if (style.visibility !== "visible") return "";
      return style.whiteSpaceCollapse === "collapse" ? node.data.replace(/\s+/g, " ") : node.data;
    }
    if (!(node instanceof Element)) return "";
    if (node.localName === "br") return "\n";
    const { display } = getComputedStyle(node);
    if (display === "none" || isUnusedNoscript(node) || depth > limits.depth) return "";
    let text = "";
    if (!composite.has(node)) text = node instanceof HTMLElement ? innerText(node) : "";
    else {
      const root = node.shadowRoot;
      const assigned = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
      const inside = readProperty(Node.prototype, "childNodes", root instanceof ShadowRoot ? root : node);
      for (const child of assigned.length > 0 ? assigned : inside) {
        text += read(child, depth + 1);
        if (text.length > limits.characters) break;
      }
    }
    if (/^(inline|contents|ruby)/.test(display)) return text;
    if (display === "table-cell") return `${text}\t`;
    const end = node.localName === "p" ? paragraph : line;
    return `${end}${text}${end}`;
  };
  const composed = () =>
    read(whole as Element, 0)
      .replace(/ ?([\ufdd0\ufdd1] ?)+/g, (ends) => (ends.includes(paragraph) ? "\n\n" : "\n"))
      .replace(/\n{3,}/g, "\n\n");

  if (!whole) return { text: "", isCut: false };
  const plain = () => (body ? innerText(body) : (whole.textContent ?? ""));
  const text = composite.size > 0 ? composed() : plain();
  return { text: text.slice(0, limits.characters).trim().toWellFormed(), isCut: text.length > limits.characters };
}

/** True for a `noscript` of a page whose scripts run: it has no box then, regardless of its styles. */
function isUnusedNoscript(element: Element): boolean {
  return element.localName === "noscript" && !element.checkVisibility();
}

/**
 * The visible content as plain HTML: semantic elements and attributes only, the flattened tree of shadow roots and slots,
 * and other block elements as `div`.
 */
export function visibleMarkup(shadowDom: boolean, limits: ExtractLimits): Extract & { baseUrl: string } {
  const block = /^(h[1-6]|p|ul|ol|li|dl|dt|dd|blockquote|pre|table|thead|tbody|tfoot|tr|td|th|hr)$/;
  const inline = /^(a|strong|b|em|i|code|kbd|samp|tt|var|del|s|strike|mark|q)$/;
  const skipped =
    /^(script|style|template|head|iframe|frame|object|embed|svg|canvas|video|audio|select|textarea|datalist|progress|meter|map)$/;
  const escaped = (text: string) => text.replace(/[&<>"\0]/g, (character) => `&#${character.charCodeAt(0) || 65533};`);
  const attribute = (name: string, value: string | null) =>
    value === null ? "" : ` ${name}="${escaped(value.slice(0, 4_096))}"`;
  const childrenOf = (node: Node) => readProperty(Node.prototype, "childNodes", node);
  const state = { size: 0, isCut: false };

  const attributesOf = (element: Element): string => {
    switch (element.localName) {
      case "a":
        return attribute("href", element.getAttribute("href"));
      case "td":
      case "th":
        return ["colspan", "rowspan", "align"].map((name) => attribute(name, element.getAttribute(name))).join("");
      case "ol":
        return attribute("start", element.getAttribute("start"));
      case "code":
      case "pre": {
        const language = /(?:^|\s)lang(?:uage)?-[\w+#-]{1,40}/.exec(
          element.getAttribute("class")?.slice(0, 1_000) ?? "",
        );
        return language ? attribute("class", language[0].trim().replace(/^lang-/, "language-")) : "";
      }
      default:
        return "";
    }
  };
  const pictureOf = (element: HTMLImageElement): string => {
    const isDot = element.width <= 1 || element.height <= 1; // a tracking pixel
    const source = element.currentSrc || element.src;
    if (isDot || source.length > 4_096) return isDot ? "" : escaped(element.alt.slice(0, 4_096));
    return `<img${attribute("src", source)}${attribute("alt", element.alt)}>`;
  };
  const writeAll = (nodes: Iterable<Node>, isVisible: boolean, depth: number): string => {
    let text = "";
    for (const node of nodes) {
      if (state.size > limits.characters) {
        state.isCut = true;
        break;
      }
      text += write(node, isVisible, depth);
    }
    return text;
  };
  const write = (node: Node, isVisible: boolean, depth: number): string => {
    if (node instanceof Text) {
      const text = isVisible ? escaped(node.data.slice(0, limits.characters)) : "";
      state.size += text.length;
      return text;
    }
    if (!(node instanceof Element) || skipped.test(node.localName)) return "";
    const { display, visibility } = getComputedStyle(node);
    if (display === "none" || isUnusedNoscript(node)) return "";
    if (depth > limits.depth) {
      state.isCut = true;
      return "";
    }
    state.size += 10; // about the length of its tags
    const isShown = visibility === "visible";
    if (node.localName === "br") return "<br>";
    if (node.localName === "hr") return isShown ? "<hr>" : "";
    if (node instanceof HTMLImageElement) return isShown ? pictureOf(node) : "";
    if (node instanceof HTMLInputElement) {
      return isShown && node.type === "checkbox" ? `<input type="checkbox"${node.checked ? " checked" : ""}>` : "";
    }
    const root = node.shadowRoot;
    const assigned = node instanceof HTMLSlotElement && shadowDom ? node.assignedNodes() : [];
    const inside = childrenOf(shadowDom && root instanceof ShadowRoot ? root : node);
    const content = writeAll(assigned.length > 0 ? assigned : inside, isShown, depth + 1);
    const name = node.localName;
    if (block.test(name)) return `<${name}${attributesOf(node)}>${content}</${name}>`;
    const isEmpty = content.trim() === "";
    if (inline.test(name)) return isEmpty ? content : `<${name}${attributesOf(node)}>${content}</${name}>`;
    if (/^(inline|contents|ruby)/.test(display)) return content;
    return isEmpty ? " " : `<div>${content}</div>`;
  };

  const root = documentElement();
  const text = root ? write(root, true, 0).toWellFormed() : "";
  return { text, isCut: state.isCut, baseUrl: root?.baseURI ?? "" };
}
