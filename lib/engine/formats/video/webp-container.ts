// WebP container: writes animated WebP files, which are RIFF files of chunks (RFC 9649).
import type { Size } from "../screenshot/encoding.ts";
import type { PixelArea } from "../screenshot/raster-source.ts";

const CHUNK_HEADER = 8;

/** Assembles a file from parts made by `webpFrame`. It loops forever. */
export function webpFile({ width, height }: Size, frames: readonly Buffer[]): Buffer {
  const extended = Buffer.alloc(10);
  extended.writeUInt8(ANIMATED, 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  // The background colour, covered by the first frame, and a loop count of 0, which means forever.
  const animation = Buffer.alloc(6);
  const chunks = [chunk("VP8X", extended), chunk("ANIM", animation), ...frames];
  const size = chunks.reduce((sum, { length }) => sum + length, 4);
  return Buffer.concat([chunkHeader("RIFF", size), Buffer.from("WEBP"), ...chunks]);
}

const ANIMATED = 2;

/** Writes a frame. Left and top are even numbers; the duration is in milliseconds; `image` comes from `imageChunk`. */
export function webpFrame({ left, top, width, height }: PixelArea, image: Buffer, durationMs: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeUIntLE(left / 2, 0, 3);
  header.writeUIntLE(top / 2, 3, 3);
  header.writeUIntLE(width - 1, 6, 3);
  header.writeUIntLE(height - 1, 9, 3);
  header.writeUIntLE(durationMs, 12, 3);
  header.writeUInt8(OPAQUE, 15);
  return chunk("ANMF", header, image);
}

/** No blending, no disposal. */
const OPAQUE = 2;

/** Extracts the image data chunk of an opaque still WebP image. Throws when there is none. */
export function imageChunk(still: Buffer): Buffer {
  let at = 12;
  while (at + CHUNK_HEADER <= still.length) {
    const end = at + CHUNK_HEADER + paddedSize(still.readUInt32LE(at + 4));
    const name = still.toString("latin1", at, at + 4);
    if (name === "VP8 " || name === "VP8L") return still.subarray(at, end);
    at = end;
  }
  throw new RangeError("The WebP image has no image data.");
}

function chunk(name: string, ...parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([chunkHeader(name, size), ...parts], CHUNK_HEADER + paddedSize(size));
}

function chunkHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER);
  header.write(name, "latin1");
  header.writeUInt32LE(size, 4);
  return header;
}

/** Chunks are padded to an even number of bytes. */
function paddedSize(size: number): number {
  return size + (size % 2);
}
