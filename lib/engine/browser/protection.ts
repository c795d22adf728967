// Protects the function from code that has broken out of Chromium: closes the function's process to it, and verifies that the
// browser filter is in force. The libraries are built by layers/hardening.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { logError } from "../../service/platform/log.ts";
import { emitMetrics } from "../../service/platform/metrics.ts";

/** Node.js addon that closes the process that loads it. */
export const CLOSED_PROCESS_FILE = "closed-process.node";

/** Library that Chromium is started with, in the folder of its libraries. */
export const BROWSER_FILTER_FILE = "browser-filter.so";

const reported = new Set<string>();

/**
 * Closes this process to other processes of its user: they get neither its environment, with the credentials, nor its memory
 * or descriptors, nor start its debugger. `folder` is that of the layer's files. With `access` "open", only the debugger is closed.
 *
 * A failure is reported, and captures go on: without this protection, only code that has already broken out of Chromium reaches
 * more, whereas a service that stops would fail everyone's captures.
 */
export function closeProcess(folder: string, access: "open" | "closed" = "closed"): void {
  // In place of Node's own handler, which starts the debugger on loopback. https://nodejs.org/api/process.html#signal-events
  if (process.listenerCount("SIGUSR1") === 0) process.on("SIGUSR1", ignoreSignal);
  if (access === "open") return;
  try {
    process.dlopen({ exports: {} }, join(folder, CLOSED_PROCESS_FILE));
  } catch (error) {
    reportMissing("closed process", error);
  }
}

function ignoreSignal(): void {
  // See closeProcess.
}

/** Reports a browser that runs without its filter, because the kernel refused it or the library was not loaded. */
export function verifyBrowserFilter(pid: number): void {
  try {
    if (filterCount(pid) > filterCount("self")) return;
    throw new Error("Chromium runs without a seccomp filter of its own.");
  } catch (error) {
    reportMissing("browser filter", error);
  }
}

/** Number of seccomp filters of a process; see proc_pid_status(5). NaN before Linux 5.9. */
function filterCount(pid: number | "self"): number {
  const [, count] = /^Seccomp_filters:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(count);
}

/** Once for each process, as it would be the same for each of its browsers. */
function reportMissing(protection: string, error: unknown): void {
  if (reported.has(protection)) return;
  reported.add(protection);
  logError("protection missing", error, { protection });
  emitMetrics({ MissingProtections: 1 }, { protection });
}
