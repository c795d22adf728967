// Where the boxes of elements are in the stitched picture, given where they are in the page at its top. In CSS pixels.
import type { Area } from "../geometry/area.ts";

/** Rows of the picture that one window shows. */
export interface PicturePiece {
  readonly from: number;
  readonly to: number;
  /** How far the content has moved in this window, away from where it is in the page at its top. */
  readonly shift: number;
}

/** A part of the picture that shows what scrolls: all of it, or a pane. */
export interface PictureColumn extends Area {
  readonly pieces: readonly PicturePiece[];
}

export interface PictureLayout {
  readonly columns: readonly PictureColumn[];
  /** True where the only column is the page itself. */
  readonly isPage: boolean;
  /** By how much the panes are taller in the picture, so that what is below them is further down. */
  readonly grown: number;
  /** Elements that are fixed at the foot of the window, which stand at the end of the picture. */
  readonly feet: readonly Foot[];
}

export interface Foot {
  /** In the page at its top. */
  readonly top: number;
  readonly bottom: number;
  /** How much further down it is in the picture. */
  readonly by: number;
}

export interface ElementPosition {
  /** True for an element in a pane, also where the pane shows none of it. */
  readonly isInPane?: boolean | undefined;
  /** True for an element that is fixed in the window, or in one that is. */
  readonly isFixed?: boolean | undefined;
}

/** The box of an element in the picture. */
export function mapBox(layout: PictureLayout, box: Area, position: ElementPosition): Area {
  return { ...box, y: box.y + movedBy(layout, box, position) };
}

function movedBy({ columns, isPage, grown, feet }: PictureLayout, box: Area, position: ElementPosition): number {
  const middle = box.y + box.height / 2;
  if (position.isFixed) return feet.find(({ top, bottom }) => middle >= top && middle < bottom)?.by ?? 0;
  if (isPage || position.isInPane) {
    const centre = box.x + box.width / 2;
    const column = columns.find(({ x, width }) => centre >= x && centre < x + width) ?? columns[0];
    return column ? shiftAt(column.pieces, box.y) : 0;
  }
  const end = Math.max(...columns.map(({ y, height }) => y + height));
  return middle >= end ? grown : 0;
}

/** How far the content of a row is from where it is in the page, in the window that shows it. */
function shiftAt(pieces: readonly PicturePiece[], row: number): number {
  const piece = pieces.find(({ from, to, shift }) => row + shift >= from && row + shift < to);
  return piece?.shift ?? 0;
}
