// Watches local files, and yields the path of each file that has changed.
import { watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Editors write a file in several steps; it is complete when nothing has happened for this long. */
const QUIET_MS = 100;

export interface InputWatcher {
  /** The path of each file that changes, until the signal aborts. Several changes before it is asked for count as one. */
  readonly changes: AsyncIterable<string>;
  close(): void;
}

/** Watches `files` from the call on. */
export function watchFiles(files: readonly string[], signal: AbortSignal): InputWatcher {
  /** Files that have changed, with the timer that still waits for the end of the change. */
  const changed = new Map<string, NodeJS.Timeout | undefined>();
  let wake = () => {};
  const settle = (file: string) => {
    clearTimeout(changed.get(file));
    const timer = setTimeout(() => {
      changed.set(file, undefined);
      wake();
    }, QUIET_MS);
    changed.set(file, timer);
  };
  // The folder is watched, because editors replace files, and a watcher of a file stays with the old one.
  const watchers = files.map((file) =>
    watch(dirname(file), (_event, name) => {
      if (name === null || name === basename(file)) settle(file);
    }),
  );
  signal.addEventListener("abort", () => wake());
  return {
    changes: yieldChanges(),
    close() {
      for (const watcher of watchers) watcher.close();
      for (const timer of changed.values()) clearTimeout(timer);
    },
  };

  async function* yieldChanges(): AsyncGenerator<string, void, undefined> {
    while (!signal.aborted) {
      const ready = [...changed].find(([, timer]) => timer === undefined)?.[0];
      if (ready === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        changed.delete(ready);
        yield ready;
      }
    }
  }
}
