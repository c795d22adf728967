// The parts of a GIF89a file, byte by byte.

import type { Size } from "../../screenshot/encoding.ts";
import type { PixelArea } from "../../screenshot/raster-source.ts";
import { blueChannel, greenChannel, redChannel } from "./color.ts";

/** Bits of an index into a palette of so many colors: tables have a power of two of them, 4 to 256. */
export function colorDepth(colors: number): number {
  return Math.max(2, Math.ceil(Math.log2(colors)));
}

/** What comes first: the size, and the palette of all frames that have none of their own. It repeats for ever. */
export function fileHeader({ width, height }: Size, palette: readonly number[], depth: number): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  // A palette follows, of 2 to the power of depth; colors have 8 bits.
  screen.writeUInt8(0x80 | (7 << 4) | (depth - 1), 4);
  return Buffer.concat([Buffer.from("GIF89a"), screen, colorTable(palette, depth), REPEAT_FOR_EVER]);
}

const REPEAT_FOR_EVER = Buffer.concat([
  Buffer.from([0x21, 0xff, 11]),
  Buffer.from("NETSCAPE2.0"),
  Buffer.from([3, 1, 0, 0, 0]),
]);

export const FILE_END = Buffer.from([0x3b]);

export interface GifFrame {
  readonly box: PixelArea;
  /** Index of the pixels that stay as they are. */
  readonly transparent: number;
  /** Its own palette, where it has one, and its depth. */
  readonly palette: { readonly colors: readonly number[]; readonly depth: number } | undefined;
  /** As `compress` makes it. */
  readonly data: Buffer;
}

/** In hundredths of a second. */
export function gifFrame({ box, transparent, palette, data }: GifFrame, delay: number): Buffer {
  const head = Buffer.alloc(18);
  // Stays on the screen when it is over; one index is transparent.
  head.set([0x21, 0xf9, 4, (1 << 2) | 1]);
  head.writeUInt16LE(delay, 4);
  head.writeUInt8(transparent, 6);
  head.writeUInt8(0x2c, 8);
  head.writeUInt16LE(box.left, 9);
  head.writeUInt16LE(box.top, 11);
  head.writeUInt16LE(box.width, 13);
  head.writeUInt16LE(box.height, 15);
  head.writeUInt8(palette ? 0x80 | (palette.depth - 1) : 0, 17);
  return Buffer.concat([head, palette ? colorTable(palette.colors, palette.depth) : Buffer.alloc(0), data]);
}

function colorTable(palette: readonly number[], depth: number): Buffer {
  const table = Buffer.alloc(3 << depth);
  for (const [index, color] of palette.entries()) {
    table.set([redChannel(color), greenChannel(color), blueChannel(color)], index * 3);
  }
  return table;
}
