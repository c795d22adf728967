// Waits until a browser computes nothing any more, through /proc: decoding, databases, and compilers included.
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "puppeteer-core";
import { readProcFile } from "./processes.ts";

/** Between two looks at a browser that is busy, which needs the time of the processor. */
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
   * Resolves once the browser is idle, and to undefined after `timeoutMs`. It says nothing about workers, and about what comes
   * from the network. `hasWorked` is about the time since the last call. Call it when the browser has answered the last command:
   * then its control threads have nothing to do, and as a thread can run from the moment on at which another one gives it
   * work, one look is enough where no other thread has run. Otherwise no thread may run between two looks.
   */
  async untilIdle(timeoutMs: number): Promise<Idleness | undefined> {
    const expiry = performance.now() + timeoutMs;
    const start = this.#last;
    let before = readThreads(this.#pid);
    if (!hasWorked(start, before)) {
      this.#last = before;
      return { hasWorked: false };
    }
    for (;;) {
      if ([...before.values()].some(isRunning)) await sleep(LOOK_INTERVAL_MS);
      const now = readThreads(this.#pid);
      if (isSame(now, before) && ![...now.values()].some(isRunning)) {
        this.#last = now;
        return { hasWorked: true };
      }
      if (performance.now() >= expiry) return undefined;
      before = now;
    }
  }
}

/** Longest look at a browser that is busy: a further one comes later, and each takes its processor's time. */
const MAX_LOOK_MS = 5;

/** Returns a function that resolves to whether a browser computes nothing at that moment. */
export function idleCheck(browser: Browser): () => Promise<boolean> {
  const monitor = new IdleMonitor(browser.process()?.pid ?? 0);
  return async () => (await monitor.untilIdle(MAX_LOOK_MS)) !== undefined;
}

/**
 * Returns a function that tells whether anything has worked for the page since its last call, beside the threads that run for
 * each command and each frame.
 */
export function workCheck(browser: Browser): () => boolean {
  const pid = browser.process()?.pid ?? 0;
  let last: Threads = new Map();
  return () => {
    const now = readThreads(pid);
    const worked = hasWorked(last, now);
    last = now;
    return worked;
  };
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

/** True when a thread works for the page, or has worked between two looks. */
function hasWorked(before: Threads, now: Threads): boolean {
  return [...now].some(([id, thread]) => {
    const hasRun = before.get(id)?.switches !== thread.switches || isRunning(thread);
    return hasRun && !CONTROL_THREAD.test(thread.name);
  });
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
