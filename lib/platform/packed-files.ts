// Large files, packed in pieces: several threads unpack them at once, each piece to where it belongs.
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

/** Small enough for those under way to fit into memory, and large enough to pack no worse than the whole. */
const PIECE_BYTES = 4 * 2 ** 20;

/** More than there are threads: they go on while the thread that hands out pieces does something else for a while. */
const AT_ONCE = 16;

export interface PlainFile {
  /** Below the folder it is to be unpacked into. */
  readonly path: string;
  /** Permissions, as `chmod` knows them. */
  readonly mode: number;
  readonly content: Buffer;
}

interface Index {
  /** Bytes of each piece of a file but its last. */
  readonly pieceSize: number;
  /** In their order, with the bytes that each of their pieces takes where it is packed. */
  readonly files: readonly (Omit<PlainFile, "content"> & { readonly packed: readonly number[] })[];
}

/** Writes all to `<path>.zst`, each piece a frame of its own (RFC 8878), and what is where to `<path>.json`. */
export async function packFiles(files: readonly PlainFile[], path: string, level: number): Promise<void> {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  const all: Buffer[] = [];
  const index: Index["files"][number][] = [];
  for (const { content, ...file } of files) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < content.length; at += PIECE_BYTES) {
      pieces.push(await promisify(zstdCompress)(content.subarray(at, at + PIECE_BYTES), { params }));
    }
    all.push(...pieces);
    index.push({ ...file, packed: pieces.map(({ length }) => length) });
  }
  await writeFile(`${path}.zst`, all);
  await writeFile(`${path}.json`, JSON.stringify({ pieceSize: PIECE_BYTES, files: index } satisfies Index));
}

/** Unpacks what `packFiles` wrote at `path` into a folder, over what is there. Rejects when it is damaged. */
export async function unpackFiles(path: string, folder: string): Promise<void> {
  const { pieceSize, files } = JSON.parse(await readFile(`${path}.json`, "utf8")) as Index;
  await using opened = new AsyncDisposableStack();
  const packed = opened.use(await open(`${path}.zst`));
  const pieces: {
    readonly to: typeof packed;
    readonly position: number;
    readonly at: number;
    readonly length: number;
  }[] = [];
  let at = 0;
  for (const file of files) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true });
    const to = opened.use(await open(join(folder, file.path), "w", file.mode));
    for (const [index, length] of file.packed.entries()) {
      pieces.push({ to, position: index * pieceSize, at, length });
      at += length;
    }
  }
  const left = pieces.values();
  const unpackOn = async () => {
    for (const { to, position, at, length } of left) {
      const { buffer } = await packed.read(Buffer.allocUnsafeSlow(length), 0, length, at);
      const piece = await promisify(zstdDecompress)(buffer, { chunkSize: pieceSize });
      await to.write(piece, 0, piece.length, position);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, unpackOn));
}
