// A large file, packed in pieces: several threads unpack it at once, each to where its piece belongs.
import { open, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

/** Small enough for what is under way to fit into memory, and large enough to pack no worse than the whole. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Node's pool has four threads, and who else unpacks needs one, too. */
const AT_ONCE = 3;

interface Index {
  /** Bytes of each piece but the last. */
  readonly pieceSize: number;
  /** Bytes that each piece takes where it is packed. */
  readonly packed: readonly number[];
}

/**
 * Writes `content` to `<path>.zst`, which any zstd reads as a whole (RFC 8878 lets frames follow each other), and where its
 * pieces are to `<path>.json`.
 */
export async function packPieces(content: Buffer, path: string, level: number): Promise<void> {
  const packed: Buffer[] = [];
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    const params = { [constants.ZSTD_c_compressionLevel]: level };
    packed.push(await promisify(zstdCompress)(content.subarray(at, at + PIECE_BYTES), { params }));
  }
  await writeFile(`${path}.zst`, packed);
  const sizes = packed.map(({ length }) => length);
  const index: Index = { pieceSize: PIECE_BYTES, packed: sizes };
  await writeFile(`${path}.json`, JSON.stringify(index));
}

/** Unpacks what `packPieces` wrote at `path` into the file `target`, which gets the `mode`. Rejects when it is damaged. */
export async function unpackPieces(path: string, target: string, mode: number): Promise<void> {
  const { pieceSize, packed } = JSON.parse(await readFile(`${path}.json`, "utf8")) as Index;
  await using from = await open(`${path}.zst`);
  await using to = await open(target, "w", mode);
  let [next, offset] = [0, 0];
  const unpackOn = async () => {
    while (next < packed.length) {
      const [index, begin, length] = [next, offset, packed[next] ?? 0];
      next++;
      offset += length;
      const { buffer } = await from.read(Buffer.allocUnsafeSlow(length), 0, length, begin);
      const piece = await promisify(zstdDecompress)(buffer, { chunkSize: pieceSize });
      await to.write(piece, 0, piece.length, index * pieceSize);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, unpackOn));
}
