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
}

/** The files with lines of since a time in milliseconds since 1970. */
export function listLogFiles(folder: string, since: number): LogFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".log"));
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats || Number(stats.mtimeMs) < since) return []; // without stats, it has been rotated or deleted meanwhile
    const source = name.replace(/(\.\d+)?\.log$/, "");
    return [{ path, source, inode: stats.ino, sizeBytes: Number(stats.size) }];
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

/** The lines that have one of the texts, in their order. */
export function linesWith(bytes: Buffer, texts: Iterable<string>): string[] {
  /** The ends of the lines by their starts. */
  const lines = new Map<number, number>();
  for (const text of texts) {
    for (let at = bytes.indexOf(text); at >= 0; ) {
      const end = bytes.indexOf("\n", at);
      lines.set(bytes.lastIndexOf("\n", at) + 1, end);
      at = bytes.indexOf(text, end);
    }
  }
  return [...lines].toSorted(([one], [other]) => one - other).map(([start, end]) => bytes.toString("utf8", start, end));
}
