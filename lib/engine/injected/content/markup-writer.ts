/// <reference lib="dom" />
// Writes content as plain HTML for Markdown: semantic elements and attributes only, and other blocks as `div`.
import type { ContentWriter, TextStyle } from "./content-writer.ts";
import { embeddedMedia } from "./embedded-media.ts";
import type { Formula } from "./formulas.ts";

const BLOCKS = /^(h[1-6]|p|ul|ol|li|dl|dt|dd|blockquote|pre|table|thead|tbody|tfoot|tr|td|th)$/;
const INLINES = /^(a|strong|b|em|i|code|kbd|samp|tt|var|del|s|strike|mark|q)$/;
const MAX_ATTRIBUTE = 4_096;

const escaped = (text: string) => text.replace(/[&<>"\0]/g, (character) => `&#${character.charCodeAt(0) || 65533};`);
const attribute = (name: string, value: string | null) =>
  value === null ? "" : ` ${name}="${escaped(value.slice(0, MAX_ATTRIBUTE))}"`;

export const markupWriter: ContentWriter = {
  text(data, { collapse, isCode }: TextStyle) {
    const text = escaped(data);
    return isCode || collapse === "collapse" ? text : text.replace(/\r?\n/g, "<br>");
  },
  lineEnd: "<br>",
  options: (lines) => `<ul>${lines.map((line) => `<li>${line}</li>`).join("")}</ul>`,
  formula: ({ source, isTex, isDisplay }: Formula) => {
    if (!isTex) return isDisplay ? `<div>${escaped(source)}</div>` : escaped(source);
    const formula = `<data${attribute("display", isDisplay ? "block" : null)}>${escaped(source)}</data>`;
    return isDisplay ? `<div>${formula}</div>` : formula;
  },
  block: (content) => `<div>${content}</div>`,
  inline(element, content, isFlat) {
    const inside = isFlat ? content.replace(/<\/?(?:div|p)>/g, "") : content;
    const name = element.localName;
    if (BLOCKS.test(name) && name !== "p") return tagged(element, name, inside);
    return INLINES.test(name) && inside.trim() !== "" ? tagged(element, name, inside) : inside;
  },
  element(element, content) {
    const name = element.localName;
    if (/^h[1-6]$/.test(name)) return tagged(element, name, content.replace(/<\/?(?:div|p)>|<br>/g, " "));
    if (BLOCKS.test(name)) return tagged(element, name, content);
    const inline = markupWriter.inline(element, content, false);
    return element.parentElement?.localName === "pre" ? inline : `<div>${inline}</div>`;
  },
  replaced(element, name) {
    switch (name) {
      case "hr":
        return { content: "<hr>", isBlock: true };
      case "img":
        return element instanceof HTMLImageElement ? { content: picture(element), isBlock: false } : undefined;
      case "input": {
        const isTask = element instanceof HTMLInputElement && element.type === "checkbox";
        return { content: isTask ? `<input type="checkbox"${element.checked ? " checked" : ""}>` : "", isBlock: false };
      }
      default: {
        const media = embeddedMedia(element, name);
        if (!media) return undefined;
        return {
          content: `<div><a${attribute("href", media.address)}>${escaped(media.title)}</a></div>`,
          isBlock: true,
        };
      }
    }
  },
  isLink: (element) => element.localName === "a" && element.hasAttribute("href"),
};

function tagged(element: Element, name: string, content: string): string {
  return `<${name}${attributesOf(element, name)}>${content}</${name}>`;
}

function attributesOf(element: Element, name: string): string {
  switch (name) {
    case "a":
      return attribute("href", element.getAttribute("href"));
    case "td":
    case "th":
      return ["colspan", "rowspan", "align"].map((each) => attribute(each, element.getAttribute(each))).join("");
    case "ol":
      return attribute("start", element.getAttribute("start"));
    case "code":
    case "pre": {
      const names = element.getAttribute("class")?.slice(0, 1_000) ?? "";
      const language = /(?:^|\s)lang(?:uage)?-[\w+#-]{1,40}/.exec(names);
      return language ? attribute("class", language[0].trim().replace(/^lang-/, "language-")) : "";
    }
    default:
      return "";
  }
}

function picture(element: HTMLImageElement): string {
  const isDot = element.width <= 1 || element.height <= 1; // a tracking pixel
  const source = element.currentSrc || element.src;
  if (isDot || source.length > MAX_ATTRIBUTE) return isDot ? "" : escaped(element.alt.slice(0, MAX_ATTRIBUTE));
  return `<img${attribute("src", source)}${attribute("alt", element.alt)}>`;
}
