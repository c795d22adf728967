// Watches the source folders and calls back when they have come to rest after a change.
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";

export interface WatchOptions {
  /** Folder of the project. */
  readonly project: string;
  /** Called with the changed files, relative to the project; never while it is still busy with the last change. */
  onChange(files: readonly string[]): Promise<void>;
  /** How long nothing must change, in milliseconds: an editor writes one file in several steps. */
  readonly restMs?: number;
}

export interface Watch {
  close(): void;
}

const folders = ["bin", "lib", "functions", "layers"];

export function watchSources({ project, onChange, restMs = 150 }: WatchOptions): Watch {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;

  const report = async () => {
    if (isBusy || changed.size === 0) return;
    isBusy = true;
    const files = [...changed].sort();
    changed.clear();
    try {
      await onChange(files);
    } finally {
      isBusy = false;
      void report();
    }
  };
  const watchers = folders.flatMap((folder): FSWatcher[] => {
    try {
      const watcher = watch(join(project, folder), { recursive: true });
      watcher.on("change", (_event, file) => {
        const path = join(folder, String(file));
        if (isGenerated(path)) return;
        changed.add(path);
        clearTimeout(timer);
        timer = setTimeout(() => void report(), restMs);
      });
      watcher.on("error", () => {}); // a folder that is removed under it
      return [watcher];
    } catch {
      return []; // not every project has every folder
    }
  });
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function isGenerated(path: string): boolean {
  return path.split(/[\\/]/).some((part) => part.startsWith(".") || part === "node_modules" || part === "dist");
}
