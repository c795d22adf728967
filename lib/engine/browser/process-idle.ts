// Waits until a browser computes nothing any more, through /proc: decoding, databases, compilers, and workers included.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Between two looks, in which a thread that hands its work to another one does so. */
const LOOK_INTERVAL_MS = 1;

/**
 * Resolves to true once no thread of a process has run between two looks, to false after `timeoutMs`. With
 * `--single-process`, that is all of Chromium. It says nothing about what comes from the network.
 */
export async function untilProcessIdle(pid: number, timeoutMs: number): Promise<boolean> {
  const expiry = performance.now() + timeoutMs;
  let before = readThreads(pid);
  for (;;) {
    await sleep(LOOK_INTERVAL_MS);
    const now = readThreads(pid);
    if (!now.isRunning && !before.isRunning && now.switches === before.switches) return true;
    if (performance.now() >= expiry) return false;
    before = now;
  }
}

interface Threads {
  /** True when a thread runs or waits for a processor. */
  readonly isRunning: boolean;
  /** How often each thread has begun to wait, or was interrupted: the same text twice means that none has run. */
  readonly switches: string;
}

function readThreads(pid: number): Threads {
  let isRunning = false;
  let switches = "";
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const { state, switched } = readThread(pid, thread);
    if (state === "R" || state === "D") isRunning = true;
    switches += `${thread}:${switched} `;
  }
  return { isRunning, switches };
}

/** State and context switches of a thread; see proc_pid_status(5). */
function readThread(pid: number, thread: string): { state: string; switched: string } {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/task/${thread}/status`, "latin1");
  } catch {
    return { state: "", switched: "" }; // it has ended meanwhile
  }
  const state = /^State:\s*(\w)/m.exec(status)?.[1] ?? "";
  const switched = status.slice(status.indexOf("\nvoluntary_ctxt_switches:"));
  return { state, switched };
}
