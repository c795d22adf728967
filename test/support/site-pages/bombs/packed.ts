// Compressed streams that expand a thousandfold, made from a few compressed chunks.
import { once } from "node:events";
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from "node:zlib";

export type Coding = "gzip" | "deflate" | "br" | "zstd";

const packers = {
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  deflate: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
};

/** So many chunks are packed before a packer must have come to say the same of each. */
const MOST_DIFFERENT = 10;

/**
 * `times` chunks, packed. A packer that is flushed after each chunk comes to say the same of every further one, which
 * can be repeated then. The checksum at the end is wrong: whoever comes so far has unpacked all of it.
 */
export async function packed(coding: Coding, chunk: Buffer, times: number): Promise<Buffer> {
  const packer = packers[coding]();
  let part: Buffer[] = [];
  packer.on("data", (data: Buffer) => part.push(data));
  const parts: Buffer[] = [];
  const cut = () => {
    parts.push(Buffer.concat(part));
    part = [];
  };
  while (parts.length < 2 || !parts.at(-1)?.equals(parts.at(-2) as Buffer)) {
    if (parts.length === MOST_DIFFERENT) throw new Error(`The chunks packed by ${coding} are never alike.`);
    await new Promise((resolve) => packer.write(chunk, resolve));
    cut();
  }
  const further = Array<Buffer>(Math.max(0, times - parts.length)).fill(parts.at(-1) as Buffer);
  packer.end();
  await once(packer, "end");
  return Buffer.concat([...parts, ...further, ...part]);
}
