// Packs large files in zstd frames with checksums, and unpacks them with worker threads into a temporary folder that is
// renamed when it is complete and verified.
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { rm, statfs, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { constants, zstdCompress } from "node:zlib";

/** Small enough for the memory of concurrent pieces, and large enough to compress as well as the whole. */
const PIECE_BYTES = 4 * 2 ** 20;

export interface PlainFile {
  /** Relative to the target folder. */
  readonly path: string;
  /** Permissions, as for `chmod`. */
  readonly mode: number;
  readonly content: Buffer;
}

interface Index {
  /** Size in bytes of each piece but the last one of a file. */
  readonly pieceSize: number;
  /** Files in order, with their size and the packed size of each piece, in bytes. */
  readonly files: readonly PackedFile[];
}

interface PackedFile extends Omit<PlainFile, "content"> {
  readonly size: number;
  readonly packed: readonly number[];
}

/**
 * Writes all files to `<path>.zst`, each piece as a zstd frame with a checksum of its content (RFC 8878), and the index to
 * `<path>.json`.
 */
export async function packFiles(files: readonly PlainFile[], path: string, level: number): Promise<void> {
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 };
  const all: Buffer[] = [];
  const index: Index["files"][number][] = [];
  for (const { content, ...file } of files) {
    const offsets = Array.from({ length: Math.ceil(content.length / PIECE_BYTES) }, (_, index) => index * PIECE_BYTES);
    const pieces = await Promise.all(
      offsets.map((at) => promisify(zstdCompress)(content.subarray(at, at + PIECE_BYTES), { params })),
    );
    all.push(...pieces);
    index.push({ ...file, size: content.length, packed: pieces.map(({ length }) => length) });
  }
  await writeFile(`${path}.zst`, all);
  await writeFile(`${path}.json`, JSON.stringify({ pieceSize: PIECE_BYTES, files: index } satisfies Index));
}

/**
 * Unpacks the files that `packFiles` wrote at `path` to `folder`, which must not exist: it appears when all its files are
 * complete and verified. Until then they are in `<folder>.unfinished`, which replaces that of a killed process. Worker threads
 * do all the work, so the calling thread may be busy. Rejects when the packed files are damaged or the disk is full, and
 * removes everything then.
 */
export async function unpackFiles(path: string, folder: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`EEXIST: ${folder} is there already.`);
  const { pieceSize, files } = JSON.parse(readFileSync(`${path}.json`, "utf8")) as Index;
  const unfinished = `${folder}.unfinished`;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(unfinished, { recursive: true, force: true })); // does nothing after a success
  try {
    const open = (file: string, flags: string, mode?: number) => opened.adopt(openSync(file, flags, mode), closeSync);
    const packed = open(`${path}.zst`, "r");
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const pieces: Piece[] = [];
    const sizes: Task["sizes"][number][] = [];
    let at = 0;
    for (const file of files) {
      mkdirSync(dirname(join(unfinished, file.path)), { recursive: true });
      const to = open(join(unfinished, file.path), "wx", file.mode);
      sizes.push({ file: to, path: file.path, size: file.size });
      for (const [index, length] of file.packed.entries()) {
        pieces.push({ to, position: index * pieceSize, at, length });
        at += length;
      }
    }
    const threadCount = availableParallelism();
    const [started, working] = [sharedCounter(0), sharedCounter(threadCount)];
    const task: Task = { packed, pieces, pieceSize, sizes, unfinished, folder, started, working };
    const threads = Array.from({ length: threadCount }, () => runThread(task));
    await Promise.allSettled(threads); // the files stay open for all of them
    await Promise.all(threads);
  } catch (error) {
    throw await describeFailure(error, { path, folder, files });
  }
}

function sharedCounter(value: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(value);
}

/** Error codes of a full disk, an exceeded quota or file size limit. */
const NO_SPACE_CODES = ["ENOSPC", "EDQUOT", "EFBIG"];

/** The error of a failed unpacking. For a full disk, it says how much space is needed, and where. */
async function describeFailure(
  error: unknown,
  { path, folder, files }: { readonly path: string; readonly folder: string; readonly files: readonly PackedFile[] },
): Promise<unknown> {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (!NO_SPACE_CODES.includes(code)) return error;
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20).toLocaleString("en");
  const needed = megabytes(files.reduce((sum, { size }) => sum + size, 0));
  const { bavail, bsize } = await statfs(dirname(folder));
  const where = `${folder}, where ${megabytes(bavail * bsize)} MB are free`;
  return new Error(`There is no room for the ${needed} MB of ${basename(path)} in ${where}: ${message}`, {
    cause: error,
  });
}

/** `length` packed bytes from `at`, to be unpacked to the file `to` at `position`. */
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
  /** Sizes in bytes that the unpacked files must have. */
  readonly sizes: readonly { readonly file: number; readonly path: string; readonly size: number }[];
  /** The temporary folder of the files, and its name when all are complete. */
  readonly unfinished: string;
  readonly folder: string;
  /** Number of pieces that the threads have started. */
  readonly started: Int32Array<SharedArrayBuffer>;
  /** Number of threads that have not finished. */
  readonly working: Int32Array<SharedArrayBuffer>;
}

/** Resolves when the thread has ended, and rejects with what it threw. */
async function runThread(task: Task): Promise<void> {
  await once(new Worker(`(${unpackPieces})()`, { eval: true, workerData: task }), "exit");
}

/** Runs in a worker thread. It is passed as text, which needs no file in the bundle, so it must not use this module. */
function unpackPieces(): void {
  const { fstatSync, readSync, renameSync, writeSync } = process.getBuiltinModule("node:fs");
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
  const task = process.getBuiltinModule("node:worker_threads").workerData as Task;
  const { packed, pieces, pieceSize, sizes, unfinished, folder, started, working } = task;
  for (;;) {
    const piece = pieces[Atomics.add(started, 0, 1)];
    if (!piece) break;
    const { to, position, at, length } = piece;
    const content = Buffer.allocUnsafeSlow(length);
    if (readSync(packed, content, 0, length, at) < length) throw new Error("A packed file ends too early.");
    const unpacked = zstdDecompressSync(content, { chunkSize: pieceSize }); // throws when the checksum does not match
    // On a full disk, a write stores a part without an error; only the next one fails.
    for (let written = 0; written < unpacked.length; ) {
      written += writeSync(to, unpacked, written, unpacked.length - written, position + written);
    }
    // Frees the memory for the next piece. Garbage collection would be so late that the kernel must allocate the size of
    // all files, which can take longer than the rest.
    for (const { buffer } of [content, unpacked]) (buffer as ArrayBuffer).transfer(0);
  }
  // The last thread renames the folder, because the waiting thread may be busy. A failed thread is never the last one.
  if (Atomics.sub(working, 0, 1) > 1) return;
  for (const { file, path, size } of sizes) {
    const found = fstatSync(file).size;
    if (found !== size) throw new Error(`The unpacked file ${path} has ${found} bytes instead of ${size}.`);
  }
  renameSync(unfinished, folder);
}
