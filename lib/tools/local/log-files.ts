// Writes the output of each function and engine to a log file of its own. Files are rotated by size and kept over restarts, up to a total size.
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

export interface LogFiles {
  /** The line is in the file when this returns, for those who follow it, and for the time after a crash. */
  write(source: string, line: string): void;
  close(): void;
}

export interface LogLimits {
  /** Size at which a file is rotated: `Api.log` becomes `Api.1764500000000.log`, by the time in milliseconds since 1970. */
  readonly fileBytes: number;
  /** Size of all files together, above which the oldest rotated ones are deleted. */
  readonly totalBytes: number;
}

/** There are about 40 files that are written, so that those alone are below the total. */
const DEFAULT_LIMITS: LogLimits = { fileBytes: 4 * 2 ** 20, totalBytes: 256 * 2 ** 20 };

interface OpenFile {
  readonly descriptor: number;
  bytes: number;
}

export function openLogFiles(folder: string, limits: LogLimits = DEFAULT_LIMITS): LogFiles {
  const files = new Map<string, OpenFile>();
  let lastRotation = 0;

  const open = (source: string): OpenFile => {
    const descriptor = openSync(join(folder, `${source}.log`), "a+", 0o600);
    const file = { descriptor, bytes: fstatSync(descriptor).size };
    files.set(source, file);
    if (hasUnfinishedLine(file)) append(file, "\n"); // of a run that was killed
    return file;
  };

  const rotate = (source: string, { descriptor }: OpenFile): OpenFile => {
    lastRotation = Math.max(Date.now(), lastRotation + 1);
    files.delete(source);
    closeSync(descriptor);
    renameSync(join(folder, `${source}.log`), join(folder, `${source}.${lastRotation}.log`));
    const file = open(source);
    deleteOldest(folder, new Set([...files.keys()].map((each) => `${each}.log`)), limits);
    return file;
  };

  return {
    write(source, line) {
      try {
        const text = `${line.startsWith("{") ? "" : `${new Date().toISOString()} `}${line}\n`; // JSON has its time
        const file = files.get(source) ?? open(source);
        const isFull = file.bytes > 0 && file.bytes + Buffer.byteLength(text) > limits.fileBytes;
        append(isFull ? rotate(source, file) : file, text);
      } catch {
        // The line is lost: a full disk, or a folder that was removed, must not stop the service.
      }
    },
    close() {
      for (const { descriptor } of files.values()) closeSync(descriptor);
      files.clear();
    },
  };
}

function append(file: OpenFile, text: string): void {
  file.bytes += writeSync(file.descriptor, text);
}

function hasUnfinishedLine({ descriptor, bytes }: OpenFile): boolean {
  const last = Buffer.alloc(1);
  return bytes > 0 && readSync(descriptor, last, 0, 1, bytes - 1) === 1 && last.toString() !== "\n";
}

/** Deletes the oldest files that nothing writes until all files fit, however much those grow that are written. */
function deleteOldest(folder: string, written: ReadonlySet<string>, { fileBytes, totalBytes }: LogLimits): void {
  const others = readdirSync(folder)
    .filter((name) => name.endsWith(".log") && !written.has(name))
    .map((name) => ({ name, ...statSync(join(folder, name)) }))
    .toSorted((one, other) => one.mtimeMs - other.mtimeMs);
  let total = others.reduce((sum, { size }) => sum + size, written.size * fileBytes);
  for (const { name, size } of others) {
    if (total <= totalBytes) return;
    rmSync(join(folder, name), { force: true });
    total -= size;
  }
}
