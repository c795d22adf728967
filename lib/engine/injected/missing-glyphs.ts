/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds missing glyphs: characters that are drawn as an empty box because no font has a glyph for them.
import { documentElement } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";
import { openShadowRoots } from "./dom/shadow-roots.ts";

export interface GlyphSearch {
  /** Source of a regular expression for the characters that installed fonts lack; only those are measured. */
  readonly pattern: string;
  /** The captured part of the page, in CSS pixels from its top; by default all of it. */
  readonly from?: number;
  readonly to?: number;
  readonly limits: {
    readonly elements: number;
    readonly texts: number;
    readonly characters: number;
    /** Pairs of a character and a font; each takes about 20 µs to measure. */
    readonly measured: number;
  };
}

/**
 * Whether the document or its open shadow roots contain any of the characters, shown or not. Read first, because it takes
 * a fraction of the time of `charactersWithoutGlyph`. Looks at no more than `maxElements` elements for shadow roots.
 */
export function containsSuspects(pattern: string, maxElements: number): boolean {
  const suspect = new RegExp(pattern, "u");
  const isSuspect = (node: Node) => suspect.test(readProperty(Node.prototype, "textContent", node) ?? "");
  const root = documentElement();
  if (!root) return false;
  return isSuspect(root) || openShadowRoots(maxElements).some(isSuspect);
}

/**
 * The visible characters without a glyph, with the number of their occurrences in the document and its open shadow roots.
 * Web fonts count: a character has a glyph if it measures differently from a noncharacter, which is drawn as the empty
 * box of the same font. DevTools reports the font of a text, but not which of its glyphs are missing.
 */
export function charactersWithoutGlyph({
  pattern,
  from,
  to,
  limits,
}: GlyphSearch): [character: string, count: number][] {
  const suspect = new RegExp(pattern, "u");
  const notCharacter = "\u{effff}";
  const counts = new Map<string, number>();
  const root = documentElement();
  const scopes: Node[] = root ? [root, ...openShadowRoots(limits.elements)] : [];

  const range = Document.prototype.createRange.call(document);
  const isInPicture = (text: Node): boolean => {
    range.selectNodeContents(text);
    const { width, height, top, bottom } = range.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    const scrolled = window.scrollY;
    return (from === undefined || bottom + scrolled > from) && (to === undefined || top + scrolled < to);
  };

  // Compiled on demand: this pattern takes Chromium 2 ms.
  let visible: RegExp | undefined;
  const isVisible = (character: string): boolean => {
    visible ??= /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
    return visible.test(character);
  };

  let context: CanvasRenderingContext2D | null = null;
  const measure = (character: string): string => {
    const size = context?.measureText(character);
    const box = [size?.actualBoundingBoxLeft, size?.actualBoundingBoxRight, size?.actualBoundingBoxAscent];
    return [size?.width, ...box, size?.actualBoundingBoxDescent].join();
  };
  const known = new Map<string, boolean>();
  const isDrawn = (face: string, character: string): boolean => {
    const key = face + character;
    const before = known.get(key);
    if (before !== undefined || known.size >= limits.measured) return before ?? true;
    context ??= (Document.prototype.createElement.call(document, "canvas") as HTMLCanvasElement).getContext("2d");
    if (!context) return true;
    context.font = face;
    const isOwn = measure(character) !== measure(notCharacter);
    known.set(key, isOwn);
    return isOwn;
  };

  let texts = 0;
  let rest = limits.characters;
  for (const scope of scopes) {
    const walker = Document.prototype.createTreeWalker.call(document, scope, NodeFilter.SHOW_TEXT);
    while (rest > 0 && walker.nextNode() && ++texts <= limits.texts) {
      const node = walker.currentNode as Text;
      const text = node.data.slice(0, rest);
      rest -= text.length;
      if (!suspect.test(text)) continue;
      const element = node.parentElement ?? (scope as ShadowRoot).host;
      const { visibility, fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
      if (visibility !== "visible" || !isInPicture(node)) continue;
      const face = `${fontStyle} ${fontWeight} 40px ${fontFamily}`;
      // Hangul jamo are drawn as the syllables that they compose.
      for (const character of text.replace(/[\u1100-\u11ff]+/g, (letters) => letters.normalize())) {
        if (!suspect.test(character) || !isVisible(character) || isDrawn(face, character)) continue;
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
  }
  return [...counts];
}
