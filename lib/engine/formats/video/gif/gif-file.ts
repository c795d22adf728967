// GIF89a container: writes the parts of a file.

import type { Size } from "../../screenshot/encoding.ts";
import type { PixelArea } from "../../screenshot/raster-source.ts";
import { blueChannel, greenChannel, redChannel } from "./color.ts";

/** Bits of an index into a palette of `colors` colors: color tables have 4 to 256 entries, a power of two. */
export function colorDepth(colors: number): number {
  return Math.max(2, Math.ceil(Math.log2(colors)));
}

/** The header: size, global palette, and infinite loop. */
export function fileHeader({ width, height }: Size, palette: readonly number[], depth: number): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  // A global palette of 2^depth colors follows; 8 bits per channel.
  screen.writeUInt8(0x80 | (7 << 4) | (depth - 1), 4);
  return Buffer.concat([Buffer.from("GIF89a"), screen, colorTable(palette, depth), LOOP_FOREVER]);
}

const LOOP_FOREVER = Buffer.concat([
  Buffer.from([0x21, 0xff, 11]),
  Buffer.from("NETSCAPE2.0"),
  Buffer.from([3, 1, 0, 0, 0]),
]);

export const FILE_END = Buffer.from([0x3b]);

export interface GifFrame {
  readonly box: PixelArea;
  /** Palette index of unchanged pixels. */
  readonly transparent: number;
  /** Local palette with its depth, if any. */
  readonly palette: { readonly colors: readonly number[]; readonly depth: number } | undefined;
  /** Output of `compress`. */
  readonly data: Buffer;
}

/** Writes a frame; `delay` is in hundredths of a second. */
export function gifFrame({ box, transparent, palette, data }: GifFrame, delay: number): Buffer {
  const header = Buffer.alloc(18);
  // Disposal method 1 (keep); one index is transparent.
  header.set([0x21, 0xf9, 4, (1 << 2) | 1]);
  header.writeUInt16LE(delay, 4);
  header.writeUInt8(transparent, 6);
  header.writeUInt8(0x2c, 8);
  header.writeUInt16LE(box.left, 9);
  header.writeUInt16LE(box.top, 11);
  header.writeUInt16LE(box.width, 13);
  header.writeUInt16LE(box.height, 15);
  header.writeUInt8(palette ? 0x80 | (palette.depth - 1) : 0, 17);
  return Buffer.concat([header, palette ? colorTable(palette.colors, palette.depth) : Buffer.alloc(0), data]);
}

function colorTable(palette: readonly number[], depth: number): Buffer {
  const table = Buffer.alloc(3 << depth);
  for (const [index, color] of palette.entries()) {
    table.set([redChannel(color), greenChannel(color), blueChannel(color)], index * 3);
  }
  return table;
}
