// The log files of a service on this machine, line by line.
import { type LogFile, linesWith, listLogFiles, readCompleteLines } from "./log-files.ts";
import { type LogFilter, type LogLine, type LogReader, matches, parseLine } from "./log-line.ts";

const POLL_MS = 300;

/** A reader of the files of a folder. */
export function openFileLog(folder: string): LogReader {
  /** How many bytes of each file have been read, by its inode. */
  const offsets = new Map<bigint, number>();
  return {
    pollMs: POLL_MS,
    async read(filter) {
      return listLogFiles(folder, filter.since)
        .flatMap((file) => readNewLines(file, { offsets, filter }))
        .toSorted((one, other) => one.at - other.at);
    },
  };
}

interface Reading {
  readonly offsets: Map<bigint, number>;
  readonly filter: LogFilter;
}

function readNewLines({ path, source, inode, sizeBytes }: LogFile, { offsets, filter }: Reading): LogLine[] {
  const offset = offsets.get(inode) ?? 0;
  if (sizeBytes <= offset) return [];
  const bytes = readCompleteLines(path, offset);
  offsets.set(inode, offset + bytes.length);
  const wanted = filter.ids ?? (filter.account === undefined ? undefined : [filter.account]);
  let at = 0;
  const lines: LogLine[] = [];
  for (const text of wanted ? linesWith(bytes, wanted) : bytes.toString("utf8").split("\n")) {
    if (text === "") continue;
    const line = parseLine(source, text, at);
    at = line.at;
    if (matches(line, filter)) lines.push(line);
  }
  return lines;
}
