// The time of a visit: how long its windows are waited for, when it has to end, and the warnings of both.
import type { CapturedPage } from "../page/captured-page.ts";
import { hardAllowance } from "../timing/budget.ts";
import { VisitBudget } from "../timing/visit-budget.ts";

/** So much of the time for waits is kept: for a window that takes longer than the one before, and, as a share of the visit, for its end. */
const KEPT_MS = 500;
const KEPT_SHARE = 0.3;

export class VisitTime {
  readonly #page: CapturedPage;
  readonly #budget: VisitBudget;
  readonly #startedAt: number;
  #hasWarned = false;

  constructor(page: CapturedPage) {
    this.#page = page;
    this.#startedAt = page.now();
    this.#budget = new VisitBudget(page.budget, page.now);
  }

  /** True when further windows are taken as they are. */
  get isForWaitsUsedUp(): boolean {
    return this.#budget.isUsedUp;
  }

  /** True when the windows so far have to do. With exact time, the capture fails instead. */
  get isOver(): boolean {
    const { budget, now } = this.#page;
    const keptMs = KEPT_MS + KEPT_SHARE * (now() - this.#startedAt);
    return !budget.isExact && hardAllowance(budget, now()) < keptMs;
  }

  /** Warns that the image ends so many CSS pixels from the top. */
  warnOfEnd(end: number): void {
    this.#page.warnings.push(
      `The time ran out while the page was scrolled: the image ends at ${end} pixels from the top. A larger timeout helps.`,
    );
  }

  /** Warns once that windows below `end`, in CSS pixels from the top, are no longer waited for. */
  warnOfHurry(end: number): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#page.warnings.push(
      `The time for scrolling ran out at ${end} pixels from the top: what appears further down while the page ` +
        "is scrolled may be missing. A larger timeout helps.",
    );
  }
}
