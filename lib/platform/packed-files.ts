// Large files, packed in pieces: threads of their own unpack them, each piece to where it belongs.
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { constants, zstdCompress } from "node:zlib";

/** Small enough for those under way to fit into memory, and large enough to pack no worse than the whole. */
const PIECE_BYTES = 4 * 2 ** 20;

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

/**
 * Unpacks what `packFiles` wrote at `path` into a folder where none of it is yet. Nothing of that waits for this thread,
 * which may be busy with something else as soon as this has returned. Rejects when it is damaged.
 */
export async function unpackFiles(path: string, folder: string): Promise<void> {
  const { pieceSize, files } = JSON.parse(readFileSync(`${path}.json`, "utf8")) as Index;
  using opened = new DisposableStack();
  const open = (file: string, flags: string, mode?: number) => opened.adopt(openSync(file, flags, mode), closeSync);
  const packed = open(`${path}.zst`, "r");
  const pieces: Piece[] = [];
  let at = 0;
  for (const file of files) {
    mkdirSync(dirname(join(folder, file.path)), { recursive: true });
    const to = open(join(folder, file.path), "wx", file.mode);
    for (const [index, length] of file.packed.entries()) {
      pieces.push({ to, position: index * pieceSize, at, length });
      at += length;
    }
  }
  const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const task: Task = { packed, pieces, pieceSize, begun };
  const threads = Array.from({ length: availableParallelism() }, () => threadWith(task));
  await Promise.allSettled(threads); // the files stay open for all of them
  await Promise.all(threads);
}

/** A part of a file: `length` bytes of the packed ones from `at`, to be written to the file `to` at `position`. */
interface Piece {
  readonly to: number;
  readonly position: number;
  readonly at: number;
  readonly length: number;
}

interface Task {
  readonly packed: number;
  readonly pieces: readonly Piece[];
  readonly pieceSize: number;
  /** How many of them have been begun, by all threads together. */
  readonly begun: Int32Array<SharedArrayBuffer>;
}

/** Resolves when the thread has ended, and rejects with what it threw. */
async function threadWith(task: Task): Promise<void> {
  await once(new Worker(`(${unpackPieces})()`, { eval: true, workerData: task }), "exit");
}

/** Handed to a thread as text, so that it lies in no file of its own: it knows nothing of this module but its task. */
function unpackPieces(): void {
  const { readSync, writeSync } = process.getBuiltinModule("node:fs");
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
  const { packed, pieces, pieceSize, begun } = process.getBuiltinModule("node:worker_threads").workerData as Task;
  for (;;) {
    const piece = pieces[Atomics.add(begun, 0, 1)];
    if (!piece) return;
    const { to, position, at, length } = piece;
    const content = Buffer.allocUnsafeSlow(length);
    if (readSync(packed, content, 0, length, at) < length) throw new Error("A packed file ends too early.");
    const unpacked = zstdDecompressSync(content, { chunkSize: pieceSize });
    writeSync(to, unpacked, 0, unpacked.length, position);
    // Given back, their memory is that of the next piece. The collector would come so late that the machine has to find as
    // much as all files take, which can take it longer than all the rest.
    for (const { buffer } of [content, unpacked]) (buffer as ArrayBuffer).transfer(0);
  }
}
