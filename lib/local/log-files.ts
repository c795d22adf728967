// Writes what functions and engines print to one file each; the file of the run before is kept beside it.
import { createWriteStream, renameSync, type WriteStream } from "node:fs";
import { join } from "node:path";

export interface LogFiles {
  write(source: string, line: string): void;
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
}

export function openLogFiles(folder: string): LogFiles {
  const files = new Map<string, WriteStream>();
  const fileOf = (source: string) => {
    const path = join(folder, `${source}.log`);
    keepPrevious(path);
    const file = createWriteStream(path);
    file.on("error", () => {}); // a full disk must not end the service
    files.set(source, file);
    return file;
  };
  return {
    write: (source, line) => void (files.get(source) ?? fileOf(source)).write(`${line}\n`),
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))));
    },
  };
}

function keepPrevious(path: string): void {
  try {
    renameSync(path, path.replace(/\.log$/, ".previous.log"));
  } catch {
    // There was no run before.
  }
}
