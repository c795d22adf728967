// Compresses a text in pieces that different processes make one after another, and that joined together are one gzip file (RFC 1952).
//
// Each piece is compressed by itself and ends at a byte (a sync flush of DEFLATE), so no state of the compressor is left to store. The
// checksum at the end of the file needs two numbers of what came before. Several gzip files in a row would need none, but some
// browsers and programs read only the first.
import { crc32, deflateRawSync, constants as zlib } from "node:zlib";

/** What the end of the file needs to know of the text so far. */
export interface GzipState {
  /** CRC-32 of the text. */
  readonly crc: number;
  /** Size of the text in bytes. */
  readonly textBytes: number;
}

/** The state before the first piece. */
export const emptyGzip: GzipState = { crc: 0, textBytes: 0 };

/** Method DEFLATE, no flags, no time, system unknown. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Compresses the next piece of the text. The first one begins with the header of the file. */
export function compressPiece(text: string, { crc, textBytes }: GzipState): { data: Buffer; state: GzipState } {
  const bytes = Buffer.from(text);
  const deflated = deflateRawSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH });
  const data = textBytes === 0 ? Buffer.concat([HEADER, deflated]) : deflated;
  return { data, state: { crc: crc32(bytes, crc), textBytes: textBytes + bytes.length } };
}

/** Returns the end of the file. Of an empty text, it is the whole file. */
export function endGzip({ crc, textBytes }: GzipState): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(textBytes % 2 ** 32, 4);
  return Buffer.concat([...(textBytes === 0 ? [HEADER] : []), deflateRawSync(Buffer.alloc(0)), trailer]);
}
