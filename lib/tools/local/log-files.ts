// Writes the output of each function and engine to a log file. The file of the previous run is kept as `.previous.log`.
import { createWriteStream, renameSync, type WriteStream } from "node:fs";
import { join } from "node:path";

export interface LogFiles {
  write(source: string, line: string): void;
  /** Resolves when all lines are on disk. */
  close(): Promise<void>;
}

export function openLogFiles(folder: string): LogFiles {
  const files = new Map<string, WriteStream>();
  const openFile = (source: string) => {
    const path = join(folder, `${source}.log`);
    renameToPrevious(path);
    const file = createWriteStream(path);
    file.on("error", () => {}); // a full disk must not stop the service
    files.set(source, file);
    return file;
  };
  return {
    write: (source, line) => void (files.get(source) ?? openFile(source)).write(`${line}\n`),
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))));
    },
  };
}

function renameToPrevious(path: string): void {
  try {
    renameSync(path, path.replace(/\.log$/, ".previous.log"));
  } catch {
    // There was no previous run.
  }
}
