// Watches the source folders and calls back when they have come to rest after a change.
import { join, relative } from "node:path";
import { watch } from "chokidar";

export interface WatchOptions {
  /** Folder of the project. */
  readonly project: string;
  /** Called with the changed files, relative to the project; never while it is still busy with the last change. */
  onChange(files: readonly string[]): Promise<void>;
  /** How long nothing must change, in milliseconds: an editor writes one file in several steps. */
  readonly restMs?: number;
}

export interface Watch {
  /** Resolves when every change from then on is seen. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
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
  // Node's own recursive watching loses a file once it has been replaced, which is how most editors save.
  const watcher = watch(
    folders.map((folder) => join(project, folder)),
    { ignoreInitial: true, ignored: (path) => isGenerated(relative(project, path)) },
  );
  watcher.on("all", (_event, path) => {
    changed.add(relative(project, path));
    clearTimeout(timer);
    timer = setTimeout(() => void report(), restMs);
  });
  return {
    ready: new Promise((resolve) => watcher.once("ready", resolve)),
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

function isGenerated(path: string): boolean {
  return path.split(/[\\/]/).some((part) => part.startsWith(".") || part === "node_modules" || part === "dist");
}
