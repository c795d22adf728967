// The threads of functions that launch a browser: their modules, by the names of their files next to the bundle.

export const BROWSER_THREADS = { "watchdog-thread": "lib/engine/browser/watchdog-thread.ts" };
