// Finds the lines of a request with those of its captures: a request with several captures has an id of its own, and one for each.
import { idsOf, type LogFilter, type LogLine, type LogReader } from "./log-line.ts";

export interface RequestLines {
  /** Oldest first. */
  readonly lines: LogLine[];
  /** The ids of the filter and of the lines. Undefined for a filter without ids. */
  readonly ids: Set<string> | undefined;
  /** The reader, which goes on after the lines. */
  readonly log: LogReader;
}

/** Reads the lines that match and, if they have further ids, those with one of these. `open` opens the log at its start. */
export async function readRequestLines(open: () => LogReader, filter: LogFilter): Promise<RequestLines> {
  const log = open();
  const lines = await log.read(filter);
  const ids = filter.ids && new Set(filter.ids);
  if (!ids || !addIds(ids, lines)) return { log, lines, ids };
  const again = open();
  return { log: again, lines: await again.read({ ...filter, ids }), ids };
}

/** Adds the ids that the lines have. True if there are some that were not there. */
export function addIds(ids: Set<string>, lines: readonly LogLine[]): boolean {
  const { size } = ids;
  for (const id of lines.flatMap(idsOf)) ids.add(id);
  return ids.size > size;
}
