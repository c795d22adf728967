/// <reference lib="dom" />
// A piece of the content of a document, as it is written, with what decides how it is joined to its neighbours.

/** A place whose box can be measured: a character of a text, or an element. */
export interface Place {
  readonly node: Node;
  readonly offset: number;
}

export interface Piece {
  /** As it is written, with the marks or tags of its elements. */
  readonly content: string;
  /** The first and last character that a reader sees: a space for white space, a line end beside a block, "" without content. */
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
  const place = { node, offset: 0 };
  return { ...EMPTY, content, start: edge, end: edge, first: place, last: place };
}
