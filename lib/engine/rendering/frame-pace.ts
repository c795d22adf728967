// Paces the frames of virtual time: where frames are expensive for the machine, they are further apart on the page's clock.

/** A frame that takes longer in real time, in milliseconds, doubles the step to the next one; a cheaper one halves it again. */
const EXPENSIVE_MS = 40;

/** Virtual milliseconds between two frames, at least and at most. */
const SHORTEST_STEP_MS = 1000 / 60;
const LONGEST_STEP_MS = 250;

/**
 * Work that may need a frame gets one at once where frames are cheap, and else when it has not settled after half of what the last
 * frame took; in milliseconds.
 */
const CHEAP_MS = 8;
const MAX_GRACE_MS = 20;

/** Frames that are looked at to choose the step of exact time. */
export const OBSERVED_FRAMES = 10;

/**
 * Exact time: virtual milliseconds between two frames of a page that changes in each of ten frames and needs none of them, by the
 * share of the window that its largest canvas takes. The clock on the wall must not decide. Multiples of `EXACT_STEP_MS`.
 */
export function exactStepMs(canvasShare: number): number {
  if (canvasShare >= 0.5) return 256;
  return canvasShare >= 0.25 ? 128 : 96;
}

export class FramePace {
  #stepMs = SHORTEST_STEP_MS;
  #lastMs = 0;

  /** Virtual milliseconds from the last frame to the next one. */
  get stepMs(): number {
    return this.#stepMs;
  }

  /** How long work that may need a frame is waited for before it gets one, in milliseconds of real time. */
  get graceMs(): number {
    return this.#lastMs > CHEAP_MS ? Math.min(MAX_GRACE_MS, this.#lastMs / 2) : 0;
  }

  /** Notes how long a frame took in real time, in milliseconds. */
  record(frameMs: number): void {
    this.#lastMs = frameMs;
    const isExpensive = frameMs > EXPENSIVE_MS;
    this.#stepMs = isExpensive
      ? Math.min(LONGEST_STEP_MS, 2 * this.#stepMs)
      : Math.max(SHORTEST_STEP_MS, this.#stepMs / 2);
  }
}
