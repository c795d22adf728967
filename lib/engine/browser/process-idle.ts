// Waits until a browser computes nothing any more, through /proc: decoding, databases, and compilers included.
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "puppeteer-core";

/**
 * Pauses between two looks at a browser that is busy, which needs the time of the processor: short ones first, as most of what
 * it does then takes less than a millisecond. Node has no timer for them.
 */
const SHORT_PAUSE_MS = 0.2;
const SHORT_PAUSES = 5;
const LONG_PAUSE_MS = 1;
const blocked = new Int32Array(new SharedArrayBuffer(4));

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

/** Watches the threads of a browser. With `--single-process`, they are all of Chromium. */
export class IdleMonitor {
  readonly #reader: ThreadReader;
  #last: Threads = new Map();

  constructor(browser: Browser) {
    this.#reader = new ThreadReader(browser);
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
    let before = this.#reader.read();
    if (!hasWorked(start, before)) {
      this.#last = before;
      return { hasWorked: false };
    }
    for (let pauses = 0; ; ) {
      if ([...before.values()].some(isRunning)) {
        if (pauses++ < SHORT_PAUSES) Atomics.wait(blocked, 0, 0, SHORT_PAUSE_MS);
        else await sleep(LONG_PAUSE_MS);
      }
      const now = this.#reader.read();
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
  const monitor = new IdleMonitor(browser);
  return async () => (await monitor.untilIdle(MAX_LOOK_MS)) !== undefined;
}

/**
 * Returns a function that returns whether anything has worked for the page since its last call, other than the threads that run for
 * each command and each frame.
 */
export function workCheck(browser: Browser): () => boolean {
  const reader = new ThreadReader(browser);
  let last: Threads = new Map();
  return () => {
    const now = reader.read();
    const worked = hasWorked(last, now);
    last = now;
    return worked;
  };
}

interface Thread {
  readonly name: string;
  /** A letter of proc_pid_stat(5): R for a thread that runs or could run. */
  readonly state: string;
  /** How often it has started waiting, or was interrupted. */
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

/** Reads the threads of a browser. Keeps their files open until it has exited: opening them takes longer than reading them. */
class ThreadReader {
  readonly #pid: number;
  readonly #files = new Map<string, number>();

  constructor(browser: Browser) {
    this.#pid = browser.process()?.pid ?? 0;
    browser.once("disconnected", () => this.#close());
  }

  /** Throws when the browser is gone. */
  read(): Threads {
    const threads = new Map<string, Thread>();
    const ids = readdirSync(`/proc/${this.#pid}/task`);
    for (const id of ids) {
      const thread = this.#readThread(id);
      if (thread && !WORKER_THREAD.test(thread.name)) threads.set(id, thread);
    }
    if (this.#files.size > ids.length) for (const id of this.#files.keys()) if (!ids.includes(id)) this.#forget(id);
    return threads;
  }

  /** Undefined for a thread that has ended. See proc_pid_status(5). */
  #readThread(id: string): Thread | undefined {
    try {
      const file = this.#files.get(id) ?? openSync(`/proc/${this.#pid}/task/${id}/status`, "r");
      this.#files.set(id, file);
      const status = scratch.toString("latin1", 0, readSync(file, scratch, 0, scratch.length, 0));
      const [, name = ""] = /^Name:\t(.*)$/m.exec(status) ?? [];
      const [, state = ""] = /^State:\s*(\w)/m.exec(status) ?? [];
      return { name, state, switches: status.slice(status.lastIndexOf("\nvoluntary_ctxt_switches:")) };
    } catch {
      this.#forget(id);
      return undefined;
    }
  }

  #forget(id: string): void {
    const file = this.#files.get(id);
    if (file !== undefined) closeSync(file);
    this.#files.delete(id);
  }

  #close(): void {
    for (const id of [...this.#files.keys()]) this.#forget(id);
  }
}

/** Such a file has about 1.5 kB. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024);
