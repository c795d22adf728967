/// <reference lib="dom" />
// Pieces of the content of a document, as they are written, with what decides how they are joined.

/** The box of a line or an element, in CSS pixels. */
export interface LineBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly height: number;
}

/** A text, without the white space around it, or an element. */
export interface Place {
  readonly node: Node;
  readonly from: number;
  readonly to: number;
  /** What `boxesOf` has measured. */
  boxes: readonly LineBox[] | undefined;
}

/** True for a place that is a text. */
export function isText({ node }: Place): boolean {
  return node.nodeType === Node.TEXT_NODE;
}

/** The boxes of the lines of a text, or the box of an element: measured once, since that takes longer than to read it. */
export function boxesOf(place: Place): readonly LineBox[] {
  place.boxes ??= isText(place) ? measureText(place) : [(place.node as Element).getBoundingClientRect()];
  return place.boxes;
}

function measureText({ node, from, to }: Place): readonly LineBox[] {
  range ??= document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return [...range.getClientRects()];
}

let range: Range | undefined;

export interface Piece {
  /** As it is written, with the marks or tags of its elements. */
  readonly content: string;
  /** The first and last character that a reader sees: a space for white space, a line end next to a block, "" without content. */
  readonly start: string;
  readonly end: string;
  readonly first: Place | undefined;
  readonly last: Place | undefined;
  /** True when its structure alone has more than one line. */
  readonly isBroken: boolean;
  /** True when it contains a block, whose marks or tags are those of a line of its own. */
  readonly hasBlock: boolean;
  /** True when it contains a block that is never a part of a line, such as a list. */
  readonly isSolid: boolean;
}

export const EMPTY: Piece = {
  content: "",
  start: "",
  end: "",
  first: undefined,
  last: undefined,
  isBroken: false,
  hasBlock: false,
  isSolid: false,
};

/** True when a reader sees nothing of it. */
export function isBlank({ first }: Piece): boolean {
  return first === undefined;
}

/** A piece that is an element, such as an image, whose box is measured as a whole. */
export function elementPiece(node: Element, content: string, edge = "\ufffc"): Piece {
  const place: Place = { node, from: 0, to: 0, boxes: undefined };
  return { ...EMPTY, content, start: edge, end: edge, first: place, last: place };
}
