// The parts of an animated WebP file, byte by byte: a RIFF container of chunks.
import type { Size } from "../screenshot/encoding.ts";
import type { PixelArea } from "../screenshot/raster-source.ts";

const CHUNK_HEADER = 8;

/** Of the parts that `webpFrame` makes. It repeats for ever. */
export function webpFile({ width, height }: Size, frames: readonly Buffer[]): Buffer {
  const extended = Buffer.alloc(10);
  extended.writeUInt8(ANIMATED, 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  // A background that nobody sees, as the first frame fills it, and 0 repeats, which is for ever.
  const animation = Buffer.alloc(6);
  const chunks = [chunk("VP8X", extended), chunk("ANIM", animation), ...frames];
  const size = chunks.reduce((sum, { length }) => sum + length, 4);
  return Buffer.concat([chunkHeader("RIFF", size), Buffer.from("WEBP"), ...chunks]);
}

const ANIMATED = 2;

/** The box begins at even numbers. The duration is in milliseconds; `image` is a chunk that `imageChunk` gives. */
export function webpFrame({ left, top, width, height }: PixelArea, image: Buffer, duration: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeUIntLE(left / 2, 0, 3);
  head.writeUIntLE(top / 2, 3, 3);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  head.writeUIntLE(duration, 12, 3);
  head.writeUInt8(OPAQUE, 15);
  return chunk("ANMF", head, image);
}

/** Replaces what was there, and stays. */
const OPAQUE = 2;

/** The chunk with the pixels of a still WebP picture without transparency. Throws when there is none. */
export function imageChunk(still: Buffer): Buffer {
  let at = 12;
  while (at + CHUNK_HEADER <= still.length) {
    const end = at + CHUNK_HEADER + padded(still.readUInt32LE(at + 4));
    const name = still.toString("latin1", at, at + 4);
    if (name === "VP8 " || name === "VP8L") return still.subarray(at, end);
    at = end;
  }
  throw new RangeError("A WebP picture has no pixels.");
}

function chunk(name: string, ...parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([chunkHeader(name, size), ...parts], CHUNK_HEADER + padded(size));
}

function chunkHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER);
  header.write(name, "latin1");
  header.writeUInt32LE(size, 4);
  return header;
}

/** Chunks have an even number of bytes, of which the last may not count. */
function padded(size: number): number {
  return size + (size % 2);
}
