/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads the texts of the page that can be seen, its fields and its controls, and counts the words of each element.
import { intersect } from "../../geometry/area.ts";
import { colourAlpha } from "../dom/appearance.ts";
import { propertyReader } from "../dom/read-property.ts";
import { isIn, type SeenElement } from "./walk.ts";

/** A text as a reader sees it: of one block, with its inline elements. */
export interface SeenText {
  readonly at: SeenElement;
  readonly text: string;
  readonly words: number;
  readonly fontSize: number;
}

/** Longest text of a block that is read; the words beyond are counted by its length. */
const MAX_CHARACTERS = 600;

const INLINE = /^(inline|contents|ruby)/;
const MIN_FONT_SIZE = 5;
const MIN_SIZE = 4;
/** So many texts of nearly the colour of their background are looked at again. */
const MAX_CHECKED = 100;

const childNodesIn = propertyReader(Node.prototype, "childNodes");
const childrenIn = propertyReader(Element.prototype, "children");

/** Those of blocks, in the order of the walk. Texts that are clipped away are among them, invisible ones are not. */
export function readTexts(seen: readonly SeenElement[]): SeenText[] {
  const known = new Map(seen.map((each) => [each.element, each]));
  const texts: SeenText[] = [];
  let checked = 0;
  for (const each of seen) {
    if (isInlinePart(each) || !mayHaveText(each)) continue;
    const text = blockText(each, known);
    if (text === "" || !isReadable(each)) continue;
    if (isFaint(each) && checked++ < MAX_CHECKED && !isOnPaint(each, seen)) continue;
    texts.push({
      at: each,
      text: text.slice(0, MAX_CHARACTERS),
      words: countWords(text),
      fontSize: fontSize(each, known),
    });
  }
  return texts;
}

/** True for an inline element whose text is part of its parent's. */
function isInlinePart({ display, parent, position }: SeenElement): boolean {
  return parent !== undefined && INLINE.test(display) && position !== "absolute" && position !== "fixed";
}

const WITHOUT_TEXT = new Set([
  "SELECT",
  "TEXTAREA",
  "IFRAME",
  "svg",
  "CANVAS",
  "VIDEO",
  "AUDIO",
  "OBJECT",
  "METER",
  "PROGRESS",
]);

function mayHaveText({ element }: SeenElement): boolean {
  return !WITHOUT_TEXT.has(element.tagName);
}

/** The text nodes of a block and of the inline elements in it, in their order. */
function blockText(block: SeenElement, known: ReadonlyMap<Element, SeenElement>): string {
  let text = "";
  const add = (element: Element) => {
    for (const node of childNodesIn(element)) {
      if (node.nodeType === Node.TEXT_NODE) {
        const parent = known.get(element);
        if (parent?.isVisible) text += node.nodeValue;
        continue;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const child = known.get(node as Element);
      if ((node as Element).localName === "br") text += " ";
      if (child && isInlinePart(child) && isReadable(child)) add(node as Element);
    }
  };
  add(block.element);
  return text.trim() === "" ? "" : text.replace(/\s+/g, " ").trim();
}

/** The largest font size of a block's own text and of the inline elements in it, in CSS pixels. */
function fontSize({ element, style }: SeenElement, known: ReadonlyMap<Element, SeenElement>): number {
  let largest = Number.parseFloat(style.fontSize);
  for (const child of childrenIn(element)) {
    const inline = known.get(child);
    if (inline && isInlinePart(inline)) largest = Math.max(largest, Number.parseFloat(inline.style.fontSize));
  }
  return largest;
}

/** False for text that no reader sees: that of screen readers alone, tiny, transparent, or outside of the page. */
function isReadable({ style, box, display }: SeenElement): boolean {
  if (display !== "contents" && (box.width < MIN_SIZE || box.height < MIN_SIZE)) return false;
  if (box.x + box.width <= 0 || box.y + box.height <= 0) return false;
  if (Number.parseFloat(style.fontSize) < MIN_FONT_SIZE || Math.abs(Number.parseFloat(style.textIndent)) > 500)
    return false;
  if (style.clip !== "auto" || /^inset\((50|100)%/.test(style.clipPath)) return false;
  // Text with a transparent fill is mostly painted with the background that is clipped to it.
  return style.backgroundClip === "text" || colourAlpha(style.webkitTextFillColor) >= 0.1;
}

/** True for text of nearly the colour of the background that it inherits. */
function isFaint({ style, background }: SeenElement): boolean {
  if (background === "image" || style.backgroundClip === "text") return false;
  return difference(style.webkitTextFillColor, background) <= 20;
}

/** True where something that does not contain the text is painted behind it, such as an image in a hero. */
function isOnPaint(at: SeenElement, seen: readonly SeenElement[]): boolean {
  const { shown } = at;
  if (!shown) return true;
  const centre = { x: shown.x + shown.width / 2, y: shown.y + shown.height / 2, width: 1, height: 1 };
  return seen.some((each) => {
    const { element, style, isVisible } = each;
    if (!each.shown || !isVisible || each === at || !intersect(each.shown, centre)) return false;
    const isPainted =
      /^(img|video|canvas|svg|picture)$/.test(element.localName) ||
      style.backgroundImage !== "none" ||
      (colourAlpha(style.backgroundColor) > 0.3 && difference(style.backgroundColor, at.background) > 20);
    return isPainted && !isIn(each, at);
  });
}

/** How much two opaque colours differ, 0 to 765; of other forms than `rgb()`, as if they did. */
function difference(one: string, other: string): number {
  const channels = (colour: string) => /^rgba?\((\d+), (\d+), (\d+)/.exec(colour)?.slice(1).map(Number);
  const [first, second] = [channels(one), channels(other)];
  if (!first || !second) return 765;
  return first.reduce((sum, channel, index) => sum + Math.abs(channel - (second[index] ?? 0)), 0);
}

/** In scripts without spaces, two characters count as a word. */
export function countWords(text: string): number {
  let words = 0;
  let unspaced = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isUnspaced(code)) unspaced++;
    const isWord = isWordCharacter(code);
    if (isWord && !isInWord) words++;
    // An apostrophe, a hyphen or a dot is part of the word around it.
    isInWord = isWord || (isInWord && (code === 0x27 || code === 0x2019 || code === 0x2d || code === 0x2e));
  }
  return unspaced > 0 ? Math.ceil(unspaced / 2) + text.split(" ").length - 1 : words;
}

/** Han, Kana and Thai. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0x0e00 && code <= 0x0e7f) ||
    (code >= 0xf900 && code <= 0xfaff)
  );
}

/** Letters, digits and marks, but not punctuation, symbols, and pictures; most pictures are pairs of surrogates. */
function isWordCharacter(code: number): boolean {
  if (code < 0x80)
    return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return false;
  return !((code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || code >= 0xd800);
}

/** Adds the words of each text, and the replaced elements, to those of all elements around it. */
export function countContents(
  seen: readonly SeenElement[],
  texts: readonly SeenText[],
  replaced: ReadonlySet<SeenElement>,
): void {
  for (const { at, words } of texts) if (at.shown) at.words += words;
  for (const each of replaced) each.replaced += 1;
  for (let index = seen.length - 1; index > 0; index--) {
    const { parent, words, replaced: inner, layer } = seen[index] as SeenElement;
    if (!parent || layer === seen[index]) continue;
    parent.words += words;
    parent.replaced += inner;
  }
}

const REPLACED = new Set([
  "img",
  "svg",
  "canvas",
  "video",
  "iframe",
  "object",
  "embed",
  "input",
  "select",
  "textarea",
  "meter",
]);

/** Elements that show something else than text: at least as large as an icon that stands alone. */
export function isReplacedElement({ element, shown, isVisible }: SeenElement): boolean {
  if (!isVisible || !shown || !REPLACED.has(element.localName)) return false;
  return shown.width >= 16 && shown.height >= 12 && element.getAttribute("type") !== "hidden";
}

const FIELDS =
  "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color]), textarea, select";
const CONTROLS =
  "button, a[href], [role=button], input[type=submit], input[type=button], summary, [role=link], [role=tab]";

export function isField({ element, shown, isVisible }: SeenElement): boolean {
  return isVisible && shown !== undefined && shown.width > 20 && element.matches(FIELDS);
}

export function isControl({ element, shown, isVisible }: SeenElement): boolean {
  return isVisible && shown !== undefined && element.matches(CONTROLS);
}

/** What a field is for: its type, and the words of its attributes and labels. */
export function fieldWords({ element }: SeenElement): string {
  const attributes = ["type", "name", "id", "autocomplete", "placeholder", "aria-label", "inputmode"];
  const labels = (element as HTMLInputElement).labels;
  const label = labels?.[0]?.textContent ?? "";
  return [...attributes.map((name) => element.getAttribute(name) ?? ""), label].join(" ").slice(0, 300).toLowerCase();
}

/** The label of a control, as it is read aloud. */
export function controlLabel({ element }: SeenElement): string {
  const label = element.textContent?.trim() || element.getAttribute("aria-label") || element.getAttribute("title");
  return (label || element.getAttribute("value") || "").replace(/\s+/g, " ").trim().slice(0, 80);
}
