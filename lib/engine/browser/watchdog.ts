// Watchdog: a thread that kills the browsers and this process when the event loop stands still past the deadline of a capture.
//
// The deadline, the resource monitor and the proxy share one event loop. Code that blocks it, such as an expression of a filter
// list that takes exponential time for a URL, would outlast them all until Lambda ends the function.
import { Worker } from "node:worker_threads";
import { logError } from "../../service/platform/log.ts";

/** Memory that both threads share, and the settings of the thread. */
export interface WatchdogData extends WatchdogTimes {
  /** The deadline of `process.hrtime.bigint()`, whose clock is the same in all threads; 0 while nothing is watched. */
  readonly deadline: BigInt64Array<SharedArrayBuffer>;
  /** Counts the beats of the event loop. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  /** Process groups of running browsers; 0 for a free place. */
  readonly groups: Int32Array<SharedArrayBuffer>;
}

export interface WatchdogTimes {
  /** How often the thread looks, in milliseconds. */
  readonly pollMs: number;
  /** How long the event loop may stand still past the deadline, in milliseconds. */
  readonly maxStallMs: number;
}

/** A busy machine may keep the main thread from its processor for a second or two. */
const TIMES: WatchdogTimes = { pollMs: 1_000, maxStallMs: 5_000 };

/** A capture has at most two browsers, and the next one may be starting. Those without a place end by the next process. */
const MAX_GROUPS = 16;

/** Most captures are over by then, so that the first one of a sandbox does not share its processor with the thread. */
const START_DELAY_MS = 500;

export class Watchdog {
  readonly #data: WatchdogData;
  readonly #deadlines = new Set<bigint>();
  #beating: NodeJS.Timeout | undefined;
  #thread: Worker | undefined;

  constructor(times: WatchdogTimes = TIMES) {
    this.#data = {
      ...times,
      deadline: new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)),
      beats: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
      groups: new Int32Array(new SharedArrayBuffer(MAX_GROUPS * Int32Array.BYTES_PER_ELEMENT)),
    };
  }

  /** Starts the thread unless it runs, which takes 40 ms of processor time outside of this thread, and 10 MB of memory. */
  start(): void {
    if (this.#thread) return;
    // The bundle has the module next to its chunks, under the same name.
    const file = import.meta.url.endsWith(".ts") ? "./watchdog-thread.ts" : "./watchdog-thread.mjs";
    const options = { name: "watchdog", workerData: this.#data, env: {}, execArgv: [] };
    this.#thread = new Worker(new URL(file, import.meta.url), options);
    this.#thread.on("error", (error) => logError("watchdog ended", error)); // captures go on without it
    this.#thread.unref();
  }

  /** Watches the event loop until disposed. `deadline` is on the clock of `performance.now()`. */
  watch(deadline: number): Disposable {
    const leftNs = BigInt(Math.max(0, Math.round((deadline - performance.now()) * 1e6)));
    const armed = process.hrtime.bigint() + leftNs;
    const starting = setTimeout(() => this.start(), START_DELAY_MS).unref();
    this.#deadlines.add(armed);
    this.#arm();
    return {
      [Symbol.dispose]: () => {
        clearTimeout(starting);
        this.#deadlines.delete(armed);
        this.#arm();
      },
    };
  }

  /** Registers the process group of a browser until disposed. */
  addGroup(pid: number): Disposable {
    const { groups } = this.#data;
    const place = groups.indexOf(0);
    if (place !== -1) Atomics.store(groups, place, pid);
    return { [Symbol.dispose]: () => void Atomics.compareExchange(groups, place, pid, 0) };
  }

  #arm(): void {
    const { deadline, beats, pollMs } = this.#data;
    const [first, ...others] = this.#deadlines;
    Atomics.store(
      deadline,
      0,
      others.reduce((last, each) => (each > last ? each : last), first ?? 0n),
    );
    if (first === undefined) {
      clearInterval(this.#beating);
      this.#beating = undefined;
    } else {
      this.#beating ??= setInterval(() => void Atomics.add(beats, 0, 1), pollMs / 2).unref();
    }
  }
}

/** That of this process. */
export const watchdog = new Watchdog();
