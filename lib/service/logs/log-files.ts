// The files of a log folder on this machine, as bytes: a day has up to 256 MB, of which a search decodes and parses a few lines.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

export interface LogFile {
  readonly path: string;
  /** The function or engine that wrote it. */
  readonly source: string;
  /** A file keeps its inode when it is rotated. */
  readonly inode: bigint;
  readonly sizeBytes: number;
  /** True for a file that is full, which is never written again, and has a name of its own. */
  readonly isRotated: boolean;
}

/** `Api.1764500000000.log`, of which the source is `Api`. */
const ROTATED = /\.\d+\.log$/;

/** The files with lines of since a time in milliseconds since 1970. */
export function listLogFiles(folder: string, since: number): LogFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".log"));
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats || Number(stats.mtimeMs) < since) return []; // without stats, it has been rotated or deleted meanwhile
    const isRotated = ROTATED.test(name);
    const source = name.replace(isRotated ? ROTATED : /\.log$/, "");
    return [{ path, source, inode: stats.ino, sizeBytes: Number(stats.size), isRotated }];
  });
}

/** The complete lines of a file from an offset on. What follows them is still being written. */
export function readCompleteLines(path: string, offset = 0): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(descriptor).size - offset));
    const read = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    return read.subarray(0, read.lastIndexOf("\n") + 1);
  } finally {
    closeSync(descriptor);
  }
}

/** Yields the lines that have one of the texts, in their order. */
export function* linesWith(bytes: Buffer, texts: Iterable<string>): Generator<string> {
  const next = [...texts].map((text) => ({ text, at: bytes.indexOf(text) }));
  for (;;) {
    const at = next.reduce((first, each) => (each.at >= 0 ? Math.min(first, each.at) : first), Infinity);
    if (at === Infinity) return;
    const end = bytes.indexOf("\n", at);
    yield bytes.toString("utf8", bytes.lastIndexOf("\n", at) + 1, end);
    for (const each of next) if (each.at >= 0 && each.at < end) each.at = bytes.indexOf(each.text, end);
  }
}
