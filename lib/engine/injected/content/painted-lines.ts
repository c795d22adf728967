/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Decides by what is painted whether boxes that could be lines of their own are on one line, and whether words on a line touch.
import { boxesOf, isBlank, isText, type LineBox, type Piece, type Place } from "./piece.ts";

/** The share of the lower of two boxes that overlaps the other vertically, 0 to 1. */
function sharedHeight(one: LineBox, other: LineBox): number {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared / Math.max(1, Math.min(one.height, other.height));
}

/** True when a place ends on the line on which another begins. A picture that is much taller than the text next to it is on no line with it. */
function isBeside(one: Place, other: Place): boolean {
  const [first, second] = [boxesOf(one).at(-1), boxesOf(other)[0]];
  if (!first || !second || sharedHeight(first, second) < 0.5) return false;
  if (isText(one) && isText(other)) return true;
  return Math.max(first.height, second.height) < 4 * Math.min(first.height, second.height);
}

function isOnOneLine(place: Place): boolean {
  const [first, ...others] = boxesOf(place);
  return first !== undefined && others.every((other) => sharedHeight(first, other) >= 0.5);
}

/** True for a piece that is painted as one line. */
export function isOneLine({ isBroken, first, last }: Piece): boolean {
  if (isBroken || !first || !last || !isOnOneLine(first)) return false;
  return first === last || (isOnOneLine(last) && isBeside(first, last));
}

/** True when the second piece begins on the line on which the first ends. */
export function continuesLine({ last }: Piece, { first }: Piece): boolean {
  return last !== undefined && first !== undefined && isBeside(last, first);
}

/** Width of the gap between the end of a piece and the start of the next, as a share of the height of the lower line. */
export function gapBetween({ last }: Piece, { first }: Piece): number {
  const [one, other] = [last && boxesOf(last).at(-1), first && boxesOf(first)[0]];
  if (!one || !other || sharedHeight(one, other) <= 0) return Number.POSITIVE_INFINITY;
  const gap = Math.max(other.left - one.right, one.left - other.right);
  return gap / Math.max(1, Math.min(one.height, other.height));
}

/** Free width next to the text from which on boxes of equal width are columns, in heights of a line. */
const FREE_WIDTH = 2;

/** Height from which on a painted box is a card rather than a button or a badge, in heights of a line. */
const CARD_HEIGHT = 3;

/** True for boxes side by side that are columns or cards: of equal width, with room next to their texts, or painted around them. */
export function areColumns(one: Element, piece: Piece, other: Element, otherPiece: Piece): boolean {
  const [first, second] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  const isRoomy = (box: DOMRect, { first: start, last: end }: Piece) => {
    const [from, to] = [start && boxesOf(start)[0], end && boxesOf(end).at(-1)];
    if (!from || !to) return false;
    return box.width - (Math.max(from.right, to.right) - Math.min(from.left, to.left)) > FREE_WIDTH * from.height;
  };
  if (Math.abs(first.width - second.width) <= 1 && isRoomy(first, piece) && isRoomy(second, otherPiece)) return true;
  return isCard(one, first, piece) && isCard(other, second, otherPiece);
}

function isCard(element: Element, box: DOMRect, { first }: Piece): boolean {
  const line = first && boxesOf(first)[0];
  if (!line || box.height < CARD_HEIGHT * line.height || /^(a|button)$/.test(element.localName)) return false;
  const { backgroundColor, backgroundImage, borderTopWidth, boxShadow } = getComputedStyle(element);
  return (
    backgroundColor !== "rgba(0, 0, 0, 0)" ||
    backgroundImage !== "none" ||
    boxShadow !== "none" ||
    borderTopWidth !== "0px"
  );
}

/** Width of a gap from which on it is one between words, as a share of the height of the line. */
const WORD_GAP = 0.17;

/** A character that is part of a word or a figure. Scripts without spaces between words have none to lose. */
const WORD = /[\p{L}\p{N}]/u;
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** True when a space would separate two words. */
export function areWords(one: string, other: string): boolean {
  return WORD.test(one) && WORD.test(other) && !(UNSPACED.test(one) && UNSPACED.test(other));
}

/** True when two words that nothing separates in the document are painted apart. `inset` is padding that belongs to the words. */
export function arePaintedApart(one: Piece, other: Piece, { inset = 0, canWrap = false } = {}): boolean {
  if (isBlank(one) || isBlank(other) || !areWords(one.end, other.start)) return false;
  const gap = gapBetween(one, other);
  if (gap === Number.POSITIVE_INFINITY) return canWrap;
  const box = inset > 0 && other.first ? boxesOf(other.first)[0] : undefined;
  return gap - (box ? inset / Math.max(1, box.height) : 0) > WORD_GAP;
}

/** The most characters of a drop cap: a letter, perhaps after a quotation mark. */
const MAX_INITIALS = 2;

/** True for a large floating letter whose word goes on next to it. */
export function isDropCap(one: Piece, other: Piece, text: string): boolean {
  const [big, small] = [one.last && boxesOf(one.last).at(-1), other.first && boxesOf(other.first)[0]];
  if (!big || !small || text.length > MAX_INITIALS || !areWords(one.end, other.start)) return false;
  return big.height > 1.3 * small.height && gapBetween(one, other) * small.height < 0.4 * big.height;
}
