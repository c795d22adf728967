// Waits until a browser computes nothing any more, through /proc: decoding, databases, and compilers included.
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readProcFile } from "./processes.ts";

/** Between two looks, in which a thread that hands its work to another one does so. */
const LOOK_INTERVAL_MS = 1;

/**
 * Threads that run for each command of DevTools and for each frame, by the names that the kernel has cut. All others work for
 * the page, as those of the pool for decoding, databases, and the like.
 */
const CONTROL_THREAD =
  /^(?:DevToolsPipe|Chrome_IOThread|Chrome_ChildIOT|Chrome_InProcRe|Compositor$|VizCompositorTh|chromium$)/;

/** Not looked at: while the page's clock stands still, a worker with a timer wakes up for it again and again. */
const WORKER_THREAD = /^(?:Dedicated|Shared|Service)Worker/;

/** What ran in the browser until it was idle. */
export interface Idleness {
  /** True when work for the page was done in threads of its own, whose results the page may not have received yet. */
  readonly hasWorked: boolean;
}

/** Watches the threads of a process. With `--single-process`, they are all of Chromium. */
export class IdleMonitor {
  readonly #pid: number;
  #last: Threads = new Map();

  constructor(pid: number) {
    this.#pid = pid;
  }

  /**
   * Resolves once no thread has run between two looks, and to undefined after `timeoutMs`. It says nothing about workers, and
   * about what comes from the network. `hasWorked` is about the time since the last call.
   */
  async untilIdle(timeoutMs: number): Promise<Idleness | undefined> {
    const expiry = performance.now() + timeoutMs;
    const start = this.#last;
    let before = readThreads(this.#pid);
    for (;;) {
      await sleep(LOOK_INTERVAL_MS);
      const now = readThreads(this.#pid);
      if (isSame(now, before) && ![...now.values()].some(isRunning)) {
        this.#last = now;
        return { hasWorked: hasWorked(start, now) };
      }
      if (performance.now() >= expiry) return undefined;
      before = now;
    }
  }
}

interface Thread {
  readonly name: string;
  /** A letter of proc_pid_stat(5): R for a thread that runs or could run. */
  readonly state: string;
  /** How often it has begun to wait, or was interrupted. */
  readonly switches: string;
}

/** By id. */
type Threads = ReadonlyMap<string, Thread>;

function isRunning({ state }: Thread): boolean {
  return state === "R" || state === "D";
}

function isSame(one: Threads, other: Threads): boolean {
  return one.size === other.size && [...one].every(([id, { switches }]) => other.get(id)?.switches === switches);
}

function hasWorked(before: Threads, now: Threads): boolean {
  return [...now].some(
    ([id, { name, switches }]) => before.get(id)?.switches !== switches && !CONTROL_THREAD.test(name),
  );
}

function readThreads(pid: number): Threads {
  const threads = new Map<string, Thread>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const thread = readThread(pid, id);
    if (thread && !WORKER_THREAD.test(thread.name)) threads.set(id, thread);
  }
  return threads;
}

/** Undefined for a thread that has ended. See proc_pid_status(5). */
function readThread(pid: number, id: string): Thread | undefined {
  try {
    const status = readProcFile(`/proc/${pid}/task/${id}/status`).toString("latin1");
    const [, name = ""] = /^Name:\t(.*)$/m.exec(status) ?? [];
    const [, state = ""] = /^State:\s*(\w)/m.exec(status) ?? [];
    return { name, state, switches: status.slice(status.lastIndexOf("\nvoluntary_ctxt_switches:")) };
  } catch {
    return undefined;
  }
}
