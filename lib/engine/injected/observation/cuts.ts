/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads where content is cut off: by elements that scroll, by boxes of a fixed height, by shortened texts, and by the window's edge.
import type { Area } from "../../geometry/area.ts";
import { scrollingElement } from "../dom/document.ts";
import { readProperty } from "../dom/read-property.ts";
import { frameDocument } from "../dom/tree.ts";
import { countWords, type SeenText } from "./texts.ts";
import { isIn, type SeenElement } from "./walk.ts";

export interface SeenCut {
  readonly at: SeenElement;
  readonly area: Area;
  /** CSS pixels of its content that cannot be seen. */
  readonly hiddenPixels: number;
  readonly hiddenWords: number;
  readonly direction: "down" | "across";
  readonly canScroll: boolean;
  readonly text: string;
}

const MIN_HIDDEN_PIXELS = 24;
const MIN_HEIGHT = 48;
const MIN_WIDTH = 120;
const MIN_BOARD_HEIGHT = 160;
const MAX_TEXT = 120;
const MIN_WINDOW_SHARE = 0.9;

/** Elements that cut off texts; those that are closed, as in an accordion, show nothing to be cut. */
export function readCuts(seen: readonly SeenElement[], texts: readonly SeenText[]): SeenCut[] {
  const cuts: SeenCut[] = cutBody(seen, texts);
  for (const at of seen) {
    const { element, style, shown, box, isEdge, isVisible } = at;
    if (!shown || !isVisible || box.width < MIN_WIDTH) continue;
    const special = element.localName === "textarea" ? cutField(at) : cutFrame(at, texts);
    if (special) cuts.push(special);
    if (special || element.localName === "textarea") continue;
    if (style.overflowY === "visible" && style.overflowX === "visible") continue;
    if (isEdge || isRootElement(element)) continue;
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
    const isDown =
      style.overflowY !== "visible" &&
      scrollHeight - clientHeight >= MIN_HIDDEN_PIXELS &&
      (clientHeight >= MIN_HEIGHT || isClamped(style));
    const isAcross =
      style.overflowX !== "visible" &&
      scrollWidth - clientWidth >= MIN_HIDDEN_PIXELS &&
      (holdsTable(at) || isBoard(at));
    if (!isDown && !isAcross) continue;
    const hidden = hiddenTexts(at, texts, isDown ? "down" : "across");
    cuts.push({
      at,
      area: shown,
      hiddenPixels: isDown ? scrollHeight - clientHeight : scrollWidth - clientWidth,
      hiddenWords: hidden.words,
      direction: isDown ? "down" : "across",
      canScroll: /auto|scroll/.test(isDown ? style.overflowY : style.overflowX),
      text: hidden.text,
    });
  }
  return cuts;
}

/** A body that is as large as the window, and hides what is beyond, as pages with an open dialog have it. */
function cutBody(seen: readonly SeenElement[], texts: readonly SeenText[]): SeenCut[] {
  const [at] = seen;
  const end = Math.max(window.innerHeight, scrollingElement().scrollHeight);
  // What a box inside the body hides is cut off by that box.
  const isOfBody = ({ at: { isEdge, position, shown } }: SeenText) => !isEdge && position !== "fixed" && shown;
  const hidden = texts.filter((text) => isOfBody(text) && text.at.box.y >= end);
  const last = Math.max(end, ...hidden.map((text) => text.at.box.y + text.at.box.height));
  if (!at || last - end < MIN_HIDDEN_PIXELS) return [];
  return [
    {
      at,
      area: { x: 0, y: 0, width: window.innerWidth, height: end },
      hiddenPixels: last - end,
      hiddenWords: hidden.reduce((sum, { words }) => sum + words, 0),
      direction: "down",
      canScroll: false,
      text: (hidden[0]?.text ?? "").slice(0, MAX_TEXT),
    },
  ];
}

function isRootElement(element: Element): boolean {
  return element === scrollingElement() || element.localName === "body" || element.localName === "html";
}

/** True for a text that ends after some lines. */
function isClamped(style: CSSStyleDeclaration): boolean {
  return style.webkitLineClamp !== "none" && style.webkitLineClamp !== "";
}

/** A long text in a field, such as a licence, which scrolls in it. */
function cutField(at: SeenElement): SeenCut | undefined {
  const { scrollHeight, clientHeight } = at.element;
  const hiddenPixels = scrollHeight - clientHeight;
  if (!at.shown || hiddenPixels < MIN_HIDDEN_PIXELS || clientHeight < MIN_HEIGHT) return undefined;
  const text = readProperty(HTMLTextAreaElement.prototype, "value", at.element as HTMLTextAreaElement);
  const shown = clientHeight / scrollHeight;
  const hiddenWords = Math.round(countWords(text) * (1 - shown));
  const from = Math.floor(text.length * shown);
  return {
    at,
    area: at.shown,
    hiddenPixels,
    hiddenWords,
    direction: "down",
    canScroll: true,
    text: excerpt(text, from),
  };
}

/** A document that scrolls in its frame. */
function cutFrame(at: SeenElement, texts: readonly SeenText[]): SeenCut | undefined {
  const inner = frameDocument(at.element)?.scrollingElement;
  if (!inner || !at.shown) return undefined;
  const hiddenPixels = inner.scrollHeight - inner.clientHeight;
  if (hiddenPixels < MIN_HIDDEN_PIXELS || inner.clientHeight < MIN_HEIGHT) return undefined;
  const { words: hiddenWords, text } = hiddenTexts(at, texts, "down");
  return { at, area: at.shown, hiddenPixels, hiddenWords, direction: "down", canScroll: true, text };
}

function excerpt(text: string, from: number): string {
  return text
    .slice(from, from + MAX_TEXT)
    .replace(/\s+/g, " ")
    .trim();
}

/** Columns of cards next to one another, which scroll sideways; carousels stop at each of their slides. */
function isBoard({ style, element, box }: SeenElement): boolean {
  return (
    /auto|scroll/.test(style.overflowX) &&
    style.scrollSnapType === "none" &&
    !element.matches("pre, code, nav, [class*=carousel], [class*=slider], [class*=swiper]") &&
    box.height >= MIN_BOARD_HEIGHT
  );
}

function holdsTable({ element }: SeenElement): boolean {
  return Element.prototype.querySelector.call(element, "table") !== null;
}

/** The words of the texts that lie outside of the element's box; of a text that is itself cut, a share. */
function hiddenTexts(at: SeenElement, texts: readonly SeenText[], direction: SeenCut["direction"]) {
  let words = 0;
  let text = "";
  const { box } = at;
  for (const each of texts) {
    if (!isIn(at, each.at)) continue;
    const inner = each.at === at ? contentBox(at) : each.at.box;
    const [start, size, from, length] =
      direction === "down" ? [inner.y, inner.height, box.y, box.height] : [inner.x, inner.width, box.x, box.width];
    const [before, after] = [Math.max(0, from - start), Math.max(0, start + size - (from + length))];
    // What lies before is a slide that was passed, or a list that was scrolled; what is after cannot be seen yet.
    const isFromRight = direction === "across" && at.style.direction === "rtl";
    const beyond = direction === "down" ? before + after : isFromRight ? before : after;
    const share = size > 0 ? Math.min(1, beyond / size) : 0;
    if (share < 0.1) continue;
    words += share * each.words;
    text ||= each.text;
  }
  return { words: Math.round(words), text: text.slice(0, MAX_TEXT) };
}

/** The box of a text in the element that cuts it. */
function contentBox({ element, box }: SeenElement): Area {
  return {
    ...box,
    width: Math.max(box.width, element.scrollWidth),
    height: Math.max(box.height, element.scrollHeight),
  };
}

export interface Overflow {
  /** CSS pixels beyond the window's edge. */
  readonly pixels: number;
  readonly width: number;
  readonly at: SeenElement | undefined;
}

/** What extends beyond the right edge of the window, or beyond the left one of a page from right to left. */
export function readOverflow(seen: readonly SeenElement[]): Overflow {
  const root = scrollingElement();
  const { clientWidth } = document.documentElement;
  const isFromRight = getComputedStyle(document.documentElement).direction === "rtl";
  const pixels = Math.max(0, root.scrollWidth - clientWidth);
  const table = cutTable(seen, clientWidth, isFromRight);
  if (table && table.pixels > pixels) return { ...table, width: clientWidth };
  if (pixels === 0) return { pixels, width: clientWidth, at: undefined };
  let at: SeenElement | undefined;
  let furthest = 1;
  for (const each of seen) {
    const { shown, isVisible, position } = each;
    if (!shown || !isVisible || position === "fixed") continue;
    const beyond = isFromRight ? -shown.x : shown.x + shown.width - clientWidth;
    // The innermost element that extends that far is the one to change.
    if (beyond < furthest) continue;
    furthest = beyond;
    at = each;
  }
  if (furthest < pixels / 2) at = overflowingText(seen, clientWidth, isFromRight) ?? at;
  return { pixels, width: clientWidth, at };
}

/** The table that the window, or a box that does not scroll, cuts off most of. */
function cutTable(
  seen: readonly SeenElement[],
  windowWidth: number,
  isFromRight: boolean,
): { readonly pixels: number; readonly at: SeenElement } | undefined {
  let most: { readonly pixels: number; readonly at: SeenElement } | undefined;
  for (const at of seen) {
    const { element, shown, isVisible, box, clip, clipper } = at;
    if (element.localName !== "table" || !shown || !isVisible || at.layer) continue;
    // One in a box is cut by that box, unless it is as wide as the window.
    if (clipper && (/auto|scroll/.test(clipper.style.overflowX) || clipper.box.width < MIN_WINDOW_SHARE * windowWidth))
      continue;
    const [start, end] = clip ? [clip.x, clip.x + clip.width] : [0, windowWidth];
    const pixels = isFromRight ? Math.max(0, start) - box.x : box.x + box.width - Math.min(end, windowWidth);
    if (pixels >= MIN_HIDDEN_PIXELS && pixels > (most?.pixels ?? 0)) most = { pixels, at };
  }
  return most;
}

/** An element whose text is wider than the element itself, such as a long word. */
function overflowingText(
  seen: readonly SeenElement[],
  windowWidth: number,
  isFromRight: boolean,
): SeenElement | undefined {
  return seen.findLast(({ element, style, box, isVisible }) => {
    if (!isVisible || box.width === 0 || style.overflowX !== "visible" || style.display === "inline") return false;
    const wide = element.scrollWidth - element.clientWidth;
    return wide > 1 && (isFromRight ? box.x - wide < 0 : box.x + element.scrollWidth > windowWidth);
  });
}
