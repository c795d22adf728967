// The log files of a service on this machine, which may run or be stopped.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { LocalServiceError } from "../../local/local-service-error.ts";
import { type LogFilter, type LogLine, type LogReader, matches, parseLine } from "./log-line.ts";

const POLL_MS = 300;

/** A reader of the files of a data folder. Throws `LocalServiceError` when there are none. */
export function openLocalLog(dataDir: string): LogReader {
  const folder = join(dataDir, "logs");
  if (!existsSync(folder))
    throw new LocalServiceError(
      `The data folder '${dataDir}' has no logs. Set DATA_DIR, or name a stage with --stage.`,
    );
  /** How many bytes of each file have been read. A file keeps its inode when it is rotated. */
  const offsets = new Map<bigint, number>();
  return {
    pollMs: POLL_MS,
    async read(filter) {
      const files = readdirSync(folder).filter((name) => name.endsWith(".log"));
      return files
        .flatMap((name) => readNewLines(folder, name, { offsets, filter }))
        .toSorted((one, other) => one.at - other.at);
    },
  };
}

interface Reading {
  readonly offsets: Map<bigint, number>;
  readonly filter: LogFilter;
}

function readNewLines(folder: string, name: string, { offsets, filter }: Reading): LogLine[] {
  const path = join(folder, name);
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return []; // it has been rotated or deleted meanwhile, and is read by its new name the next time
  const offset = offsets.get(stats.ino) ?? 0;
  if (Number(stats.size) <= offset || Number(stats.mtimeMs) < filter.since) return [];
  const bytes = readFrom(path, offset);
  const end = bytes.lastIndexOf("\n") + 1; // what follows is still being written
  offsets.set(stats.ino, offset + end);
  const source = name.replace(/(\.\d+)?\.log$/, "");
  const wanted = filter.ids ?? (filter.account === undefined ? undefined : [filter.account]);
  let at = 0;
  const lines: LogLine[] = [];
  for (const text of bytes.subarray(0, end).toString("utf8").split("\n")) {
    if (text === "" || (wanted && !hasOneOf(text, wanted))) continue; // parsing all lines would take long
    const line = parseLine(source, text, at);
    at = line.at;
    if (matches(line, filter)) lines.push(line);
  }
  return lines;
}

function readFrom(path: string, offset: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(descriptor);
  }
}

function hasOneOf(text: string, wanted: Iterable<string>): boolean {
  for (const each of wanted) if (text.includes(each)) return true;
  return false;
}
