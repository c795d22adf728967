// File watcher: reports changed source files, debounced.
import { join, relative } from "node:path";
import { watch } from "chokidar";

export interface FileWatcherOptions {
  /** Folder of the project. */
  readonly project: string;
  /** Called with the changed files, relative to the project. Calls never overlap. */
  onChange(files: readonly string[]): Promise<void>;
  /** How long no file may change before `onChange` is called, in milliseconds: an editor saves a file in several steps. */
  readonly debounceMs?: number;
}

export interface FileWatcher {
  /** Resolves when all files are watched. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

const WATCHED_FOLDERS = ["bin", "lib", "clients", "functions", "layers", "docs"];

export function watchSourceFiles({ project, onChange, debounceMs = 150 }: FileWatcherOptions): FileWatcher {
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
  // Node's recursive fs.watch loses a file that was replaced, which is how most editors save.
  const watcher = watch(
    WATCHED_FOLDERS.map((folder) => join(project, folder)),
    { ignoreInitial: true, ignored: (path) => isGenerated(relative(project, path)) },
  );
  watcher.on("all", (_event, path) => {
    changed.add(relative(project, path));
    clearTimeout(timer);
    timer = setTimeout(() => void report(), debounceMs);
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
  const generated = ["node_modules", "dist", "__pycache__"];
  return path.split(/[\\/]/).some((part) => part.startsWith(".") || generated.includes(part));
}
