/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: finds characters that are drawn as an empty box, because no font has a glyph.

export interface GlyphSearch {
  /** Source of a regular expression for characters that installed fonts lack: only those are looked at more closely. */
  readonly pattern: string;
  /** The part of the page that is captured, in CSS pixels from its top; without it all of the page is. */
  readonly from?: number;
  readonly to?: number;
  readonly limits: {
    readonly elements: number;
    readonly texts: number;
    readonly characters: number;
    /** Pairs of a character and a font in which it is measured, each of which takes about 20 microseconds. */
    readonly measured: number;
  };
}

/**
 * Whether a document or its open shadow roots contain any of the characters, shown or not: asked first, because it takes
 * a fraction of a millisecond where a closer look takes two. Shadow roots after `most` elements are left out.
 */
export function containsSuspects(pattern: string, most: number): boolean {
  const suspect = new RegExp(pattern, "u");
  const isSuspect = (scope: ParentNode & Node): boolean => {
    if (suspect.test(Reflect.get(Node.prototype, "textContent", scope) ?? "")) return true;
    const elements = scope.querySelectorAll("*");
    for (let index = 0; index < Math.min(elements.length, most); index++) {
      const root = elements[index]?.shadowRoot;
      if (root instanceof ShadowRoot && isSuspect(root)) return true;
    }
    return false;
  };
  const root = Reflect.get(Document.prototype, "documentElement", document) as Element | null;
  return root !== null && isSuspect(root);
}

/**
 * The visible characters without a glyph, and how often each of them is shown, in the document and its open shadow
 * roots. The web fonts of the page count: a character has a glyph when it is measured otherwise than a code point that
 * is none, whose picture is the box of the same font. DevTools names a font for each text, but not which of its glyphs
 * is that box.
 */
export function charactersWithoutGlyph(
  shadowRoots: (most: number) => ShadowRoot[],
  { pattern, from, to, limits }: GlyphSearch,
): [character: string, count: number][] {
  const suspect = new RegExp(pattern, "u");
  const notCharacter = "\u{effff}";
  const counts = new Map<string, number>();
  const root = Reflect.get(Document.prototype, "documentElement", document) as Element | null;
  const scopes: Node[] = root ? [root, ...shadowRoots(limits.elements)] : [];

  const range = Document.prototype.createRange.call(document);
  const isInPicture = (text: Node): boolean => {
    range.selectNodeContents(text);
    const { width, height, top, bottom } = range.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    const scrolled = window.scrollY;
    return (from === undefined || bottom + scrolled > from) && (to === undefined || top + scrolled < to);
  };

  // Made when it is needed, since such a pattern takes Chromium two milliseconds to read.
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
      // Letters of Hangul are drawn as the syllables that they make up.
      for (const character of text.replace(/[\u1100-\u11ff]+/g, (letters) => letters.normalize())) {
        if (!suspect.test(character) || !isVisible(character) || isDrawn(face, character)) continue;
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
  }
  return [...counts];
}
