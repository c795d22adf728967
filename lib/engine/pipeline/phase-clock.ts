// The time each phase of a request takes, under the names that Server-Timing, errors and logs share.

export const phases = ["auth", "browser", "navigate", "settle", "capture", "encode", "store"] as const;
export type Phase = (typeof phases)[number];

export class PhaseClock {
  readonly #spent = new Map<Phase, number>();
  readonly #now: () => number;
  #current: Phase = "auth";

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The phase that was entered last: where a request that ran out of time got stuck. */
  get current(): Phase {
    return this.#current;
  }

  /** Runs `work` and adds its duration to the phase. Phases may overlap. */
  async measure<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    this.#current = phase;
    try {
      return await work();
    } finally {
      this.#spent.set(phase, (this.#spent.get(phase) ?? 0) + this.#now() - begun);
    }
  }

  /** Value of the Server-Timing header, durations in milliseconds. See https://www.w3.org/TR/server-timing/ */
  header(): string {
    return phases
      .filter((phase) => this.#spent.has(phase))
      .map((phase) => `${phase};dur=${this.#spent.get(phase)?.toFixed(1)}`)
      .join(", ");
  }
}
