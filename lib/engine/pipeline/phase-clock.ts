// Measures the phases of a request for Server-Timing, errors and logs.

export const phases = ["auth", "browser", "navigate", "settle", "capture", "encode", "store"] as const;
export type Phase = (typeof phases)[number];

/** A piece of work that was measured, by a monotonic clock in milliseconds. */
export interface MeasuredWork {
  readonly phase: Phase;
  /** Of the step of the pipeline; that of the phase for other work. */
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What it waited for, in words, and how that ended; undefined for work that does not wait. */
  readonly awaited?: string | undefined;
  readonly outcome?: WaitOutcome | undefined;
}

/** A wait ends because its condition is met, because its own limit is reached, or because the time of the capture is up. */
export type WaitOutcome = "met" | "capped" | "gave_up";

/** What is measured: its name, that of its phase by default, and for a wait what it waits for and how it has ended. */
export interface WorkDescription {
  readonly name?: string;
  readonly awaited?: string | undefined;
  readonly outcome?: () => WaitOutcome | undefined;
}

/** Pieces of work that are kept. */
export const MAX_WORKS = 500;

export interface PhaseListeners {
  /** Called for each piece of work as it starts, with the time of the clock. */
  readonly onStarted?: (phase: Phase, startedAt: number) => void;
  /** Called for each piece of work as it ends. */
  readonly onMeasured?: (work: MeasuredWork) => void;
}

export class PhaseClock {
  readonly #durations = new Map<Phase, number>();
  readonly #intervals = new Map<Phase, { startedAt: number; endedAt: number }>();
  readonly #works: MeasuredWork[] = [];
  readonly #descriptions = new Map<Phase, string>();
  readonly #now: () => number;
  readonly #listeners: PhaseListeners;
  #current: Phase = "auth";

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now(), listeners: PhaseListeners = {}) {
    this.#now = now;
    this.#listeners = listeners;
  }

  /** The phase that started last: the one in which a request timed out. */
  get current(): Phase {
    return this.#current;
  }

  /** Says that another function, which measures its work itself, has started work of a phase. */
  enter(phase: Phase): void {
    this.#current = phase;
  }

  /** Runs `work` and adds its duration to the phase. Phases may overlap. */
  async measure<T>(phase: Phase, work: () => Promise<T>, described: WorkDescription = {}): Promise<T> {
    const startedAt = this.#now();
    this.enter(phase);
    this.#listeners.onStarted?.(phase, startedAt);
    try {
      return await work();
    } finally {
      const { name = phase, awaited, outcome } = described;
      this.record({ phase, name, startedAt, endedAt: this.#now(), awaited, outcome: outcome?.() });
    }
  }

  /** Adds a piece of work that has ended to its phase: one that another function has measured, in times of this clock. */
  record(work: MeasuredWork): void {
    const { phase, startedAt, endedAt } = work;
    this.#durations.set(phase, (this.#durations.get(phase) ?? 0) + endedAt - startedAt);
    this.#intervals.set(phase, { startedAt: this.#intervals.get(phase)?.startedAt ?? startedAt, endedAt });
    if (this.#works.length < MAX_WORKS) this.#works.push(work);
    this.#listeners.onMeasured?.(work);
  }

  /** Says how a phase went, in words without quotation marks. */
  describe(phase: Phase, description: string): void {
    this.#descriptions.set(phase, description);
  }

  /** What `describe` was called with. */
  descriptions(): [Phase, string][] {
    return [...this.#descriptions];
  }

  /** The pieces of work so far, in the order in which they ended. */
  works(): readonly MeasuredWork[] {
    return this.#works;
  }

  /** Milliseconds by phase, of the phases that have ended. */
  durations(): Partial<Record<Phase, number>> {
    return Object.fromEntries(this.#durations);
  }

  /** From the first start to the last end of each phase that has ended, by the clock; they can overlap. */
  intervals(): { readonly name: Phase; readonly startedAt: number; readonly endedAt: number }[] {
    return [...this.#intervals].map(([name, interval]) => ({ name, ...interval }));
  }

  /** Value of the Server-Timing header, durations in milliseconds. See https://www.w3.org/TR/server-timing/ */
  header(): string {
    return phases
      .filter((phase) => this.#durations.has(phase))
      .map((phase) => `${phase};dur=${this.#durations.get(phase)?.toFixed(1)}${this.#parameter(phase)}`)
      .join(", ");
  }

  #parameter(phase: Phase): string {
    const description = this.#descriptions.get(phase);
    return description === undefined ? "" : `;desc="${description}"`;
  }
}
