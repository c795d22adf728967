// Virtual time for waits: the page's clock stands still, and passes as fast as the machine allows while something waits for it.
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../timing/with-timeout.ts";
import { BeginFrameUnavailable } from "./begin-frame.ts";
import { FramePace, OBSERVED_FRAMES } from "./frame-pace.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Virtual milliseconds between two frames while the page stands still, and once it has for long. While it changes, see `FramePace`. */
const STILL_STEP_MS = 50;
const LONG_STILL_STEP_MS = 150;

/** The same while changes of frames do not count: what moves then needs no more frames than it takes to see whether it still does. */
const IGNORED_STEP_MS = 300;

/** How long a page has shown no change until it gets the longest steps, in virtual milliseconds. */
const LONG_STILL_MS = 300;

/**
 * Virtual milliseconds between two pauses of the page at the pace of real time. The page runs no task during a pause, so that
 * a longer interval would slow down what takes many tasks one after the other, such as the transactions of a database.
 */
const REAL_PACE_STEP_MS = 2;

/** At the pace of real time, the page's clock makes up for a delay of at most so many milliseconds, such as by a frame. */
const MAX_LAG_MS = 100;

/**
 * Exact time: virtual milliseconds between two frames, and after which the browser has to be idle, counted from the start of the
 * clock. Whole ones, as those of the page's clocks, see `injected/determinism.ts`. While the page stands still, they are three
 * times as many, unless it has a worker, whose clock shows these steps.
 */
export const EXACT_STEP_MS = 16;
const EXACT_STILL_STEP_MS = 3 * EXACT_STEP_MS;

/** Exact time: longest chain of work whose results are delivered at one moment, in microseconds of the page's time. */
const MAX_DELIVERIES = 100;

/** A timer of a worker looks at the page's clock when it has slept for real, which may take so much longer. */
const TIMER_SLACK_MS = 1;

/** Chromium never finishes a frame of the same time as the one before. */
const MIN_INTERVAL_MS = 0.02;

/** More than the error of a sum, less than a microsecond. */
const CUT_MARGIN_MS = 0.0002;

const US_PER_MS = 1_000;

/** The page's clock does not advance, as while a script waits for it in a loop. In real time the page can be captured. */
export class VirtualTimeUnavailable extends Error {
  override name = "VirtualTimeUnavailable";
}

/** Throws the error of a clock that does not stop or advance as `VirtualTimeUnavailable`. */
export function rethrowAsUnavailable(error: unknown): never {
  throw error instanceof BeginFrameUnavailable ? new VirtualTimeUnavailable(error.message) : error;
}

/** What virtual time needs to know of its page. */
export interface PageOfVirtualTime {
  /** True while the page depends on something that happens in real time: its time then passes no faster than that. */
  readonly needsRealTime: () => boolean;
  /**
   * Makes time exact: called after each step, it resolves when the browser computes nothing any more, so that what takes real
   * time takes none of the page's and no wait ends by real time. `hasWorked` is true when something other than the page itself,
   * such as a database, has worked for it since the last call. Rejects for a page that cannot have such a time.
   */
  readonly untilIdle?: () => Promise<{ readonly hasWorked: boolean }>;
  /** Runs an advance of an exact clock. Rejects with the reason where it cannot end, such as for a stream of messages. */
  readonly explainStall?: (advance: Promise<void>) => Promise<void>;
}

export interface VirtualTimeOptions extends PageOfVirtualTime {
  readonly clock: VirtualClock;
  /** Issues a frame. Resolves to whether it differs from the one before. */
  readonly issueFrame: () => Promise<boolean>;
}

export class VirtualTime {
  readonly #options: VirtualTimeOptions;
  /** Resolves when nothing holds the clock and the frames. */
  #free: Promise<unknown> = Promise.resolve();
  #ticks = 0;
  #isStill = true;
  readonly #pace = new FramePace();
  #exactStepMs = EXACT_STEP_MS;
  /** How many of the last frames in a row differed from the one before. */
  #changesInARow = 0;
  /** True while changes of frames do not count. */
  #ignoresChanges = false;
  /** When a frame last differed from the one before although that did not count. */
  #ignoredAt = Number.NEGATIVE_INFINITY;
  /** When a frame last differed from the one before. */
  #changedAt = 0;
  /** When the page has last shown a change, or the clock was taken over. */
  #stillSince = 0;
  /** How many works run that need the pace of real time. */
  #atRealPace = 0;
  /** When, by `performance.now()`, real time reaches the page's time. */
  #dueAt = 0;

  constructor(options: VirtualTimeOptions) {
    this.#options = options;
  }

  /** Milliseconds since the page's clock was taken over. */
  get now(): number {
    return this.#options.clock.now / US_PER_MS;
  }

  /** True when the same page has the same time in every capture: no wait ends by real time. */
  get isExact(): boolean {
    return this.#options.untilIdle !== undefined;
  }

  /** Runs `work` while no time passes and no frame is issued. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const held = this.#free.then(work);
    this.#free = held.catch(() => undefined);
    return held;
  }

  /** Time of the next frame in milliseconds, on the scale of Chromium's frame times. */
  nextTicks(): number {
    const { base } = this.#options.clock;
    // Exact time: without the microseconds of `#deliverResults`, and so that Chromium, which cuts to whole ones, loses none.
    const now = this.isExact ? Math.floor(this.now) + CUT_MARGIN_MS : this.now;
    this.#ticks = Math.max(base + now, this.#ticks + MIN_INTERVAL_MS);
    return this.#ticks;
  }

  /** Lets time pass until `work` settles. Rejects with `VirtualTimeUnavailable` when the page's clock does not advance. */
  async during<T>(work: Promise<T>): Promise<T> {
    await this.#giveGrace(work);
    return repeatUntil(work, () => this.#step(this.#frameMs));
  }

  /** Like `during`, for work that takes real time, such as the decoding of an image: time passes no faster than that. */
  async duringRealTime<T>(work: Promise<T>): Promise<T> {
    if (this.isExact) return this.during(work);
    await this.#giveGrace(work);
    const startedAt = performance.now();
    const startedIn = this.now;
    return repeatUntil(work, async () => {
      await this.#step(this.#frameMs);
      const aheadMs = this.now - startedIn - (performance.now() - startedAt);
      if (aheadMs > 0) await withTimeout(work, aheadMs);
    });
  }

  /** Waits for work that may settle without a frame, where that is cheaper. */
  async #giveGrace(work: Promise<unknown>): Promise<void> {
    const { graceMs } = this.#pace;
    if (graceMs > 0 && !this.isExact) await withTimeout(work, graceMs);
  }

  /** Runs `work`, during which time passes no faster than real time. */
  async atRealPace<T>(work: () => Promise<T>): Promise<T> {
    this.#atRealPace++;
    try {
      return await work();
    } finally {
      this.#atRealPace--;
    }
  }

  /** Lets `ms` milliseconds pass, or fewer once `condition` holds. Resolves to whether it does. */
  async pass(ms: number, condition: () => boolean = () => false): Promise<boolean> {
    const until = this.now + ms;
    while (!condition() && this.now < until) await this.#step(Math.min(this.#stepMs, until - this.now));
    return condition();
  }

  /** Lets `ms` milliseconds pass, or fewer until `work` settles. Resolves to undefined when it has not settled by then. */
  async passWhile<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
    const realEnd = this.isExact ? Number.POSITIVE_INFINITY : performance.now() + ms;
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    const isSettled = await this.pass(ms, () => isOver || performance.now() >= realEnd).then(() => isOver);
    return isSettled ? over : undefined;
  }

  /**
   * Lets time pass until frames have shown no change for `stillMs` milliseconds, or for `ms` if they go on changing. Resolves
   * to whether they have stopped. Time before `since` does not count.
   */
  async passUntilStill(ms: number, stillMs: number, since = this.now): Promise<boolean> {
    const until = this.now + ms;
    this.#changedAt = Math.max(this.#changedAt, since);
    while (this.now - this.#changedAt < stillMs) {
      if (this.now >= until) return false;
      await this.#step(this.#stepMs);
    }
    return true;
  }

  /** True when each of the last ten frames differed from the one before. */
  get isAlwaysChanging(): boolean {
    return this.#changesInARow >= OBSERVED_FRAMES;
  }

  /** Exact time: virtual milliseconds between two frames while the page changes. */
  get exactStepMs(): number {
    return this.#exactStepMs;
  }

  /** Sets the step of exact time, a multiple of `EXACT_STEP_MS`. */
  set exactStepMs(ms: number) {
    this.#exactStepMs = ms;
  }

  /** Milliseconds since the last change of a frame that counts. */
  get stillMs(): number {
    return this.now - this.#changedAt;
  }

  /** True when frames have changed in the last `ms` milliseconds although that did not count. */
  hasIgnoredChanges(ms: number): boolean {
    return this.now - this.#ignoredAt < ms;
  }

  /**
   * From now on, changes of frames do not count, and frames are further apart: the caller has asked the page itself, which has
   * stood still for `stillMs` milliseconds, and asks again.
   */
  ignoreChanges(stillMs: number): void {
    this.#ignoresChanges = this.#isStill = true;
    this.#changedAt = this.#stillSince = this.now - stillMs;
  }

  /** From now on, changes of frames count again. */
  countChanges(): void {
    this.#ignoresChanges = false;
  }

  /** Lets time pass for `count` frames. */
  async passFrames(count: number): Promise<void> {
    for (let frame = 0; frame < count; frame++) await this.#step(this.#frameMs);
  }

  /** Issues a frame although no time has passed since the last one. */
  repeatFrame(): Promise<void> {
    return this.hold(async () => void (await this.#options.issueFrame()));
  }

  get #stepMs(): number {
    if (!this.#isStill) return this.#frameMs;
    if (this.isExact) return Math.max(EXACT_STILL_STEP_MS, this.#exactStepMs);
    if (this.#ignoresChanges) return Math.max(IGNORED_STEP_MS, this.#frameMs);
    const stillStepMs = this.now - this.#stillSince < LONG_STILL_MS ? STILL_STEP_MS : LONG_STILL_STEP_MS;
    return Math.max(stillStepMs, this.#frameMs);
  }

  get #frameMs(): number {
    return this.isExact ? this.#exactStepMs : this.#pace.stepMs;
  }

  #step(ms: number): Promise<void> {
    return this.hold(async () => {
      const until = this.now + ms;
      const { untilIdle, issueFrame } = this.#options;
      const restMs = untilIdle ? MAX_DELIVERIES / US_PER_MS : 0; // an advance of what deliveries have added is none
      do await (untilIdle ? this.#advanceExactly : this.#advance).call(this, until - this.now);
      while (until - this.now > restMs);
      const startedAt = performance.now();
      const hasChanged = await issueFrame();
      this.#pace.record(performance.now() - startedAt);
      this.#changesInARow = hasChanged ? this.#changesInARow + 1 : 0;
      if (hasChanged && this.#ignoresChanges) this.#ignoredAt = this.now;
      this.#isStill = !hasChanged || this.#ignoresChanges;
      if (!this.#isStill) this.#changedAt = this.#stillSince = this.now;
      await untilIdle?.(); // what frames have started, such as the decoding of images, has ended before more time passes
    });
  }

  /** Advances the clock by at most `ms` milliseconds, by the same steps in every capture. */
  async #advanceExactly(ms: number): Promise<void> {
    const { clock, needsRealTime, explainStall } = this.#options;
    const nextMs = EXACT_STEP_MS - (this.now % EXACT_STEP_MS);
    const stepMs = Math.min(ms, needsRealTime() ? nextMs : nextMs + this.#stepMs - EXACT_STEP_MS);
    const advance = clock
      .advanceTo(clock.now + Math.max(1, Math.round(stepMs * US_PER_MS)))
      .catch(rethrowAsUnavailable);
    await (explainStall?.(advance) ?? advance);
    if (needsRealTime()) await sleep(stepMs + TIMER_SLACK_MS);
    await this.#deliverResults();
  }

  /**
   * Waits until the browser is idle. The page receives the results of work outside of it only while its time passes, and may ask
   * for more work then: that takes as little time as there is.
   */
  async #deliverResults(): Promise<void> {
    const { clock, untilIdle } = this.#options;
    for (let step = 0; (await untilIdle?.())?.hasWorked && step < MAX_DELIVERIES; step++)
      await clock.advanceTo(clock.now + 1).catch(rethrowAsUnavailable);
  }

  /** Advances the clock by at most `ms` milliseconds: by fewer at the pace of real time, for which it waits then. */
  async #advance(ms: number): Promise<void> {
    const { clock, needsRealTime } = this.#options;
    const isAtRealPace = this.#atRealPace > 0 || needsRealTime();
    const lagMs = performance.now() - this.#dueAt;
    const stepMs = isAtRealPace ? Math.min(ms, Math.max(REAL_PACE_STEP_MS, lagMs)) : ms;
    await clock.advanceTo(clock.now + Math.max(1, Math.round(stepMs * US_PER_MS))).catch(rethrowAsUnavailable);
    const now = performance.now();
    this.#dueAt = isAtRealPace ? Math.max(this.#dueAt + stepMs, now - MAX_LAG_MS) : now;
    if (this.#dueAt > now) await sleep(this.#dueAt - now);
  }
}

/** Repeats `step` until `work` settles. Resolves or rejects as `work`, or rejects as a step that fails before. */
async function repeatUntil<T>(work: Promise<T>, step: () => Promise<unknown>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  const repeating = (async () => {
    while (!isOver) await step();
  })();
  repeating.catch(() => undefined); // it may fail when the page is gone, after the work is over
  await Promise.race([over, repeating]);
  return over;
}
