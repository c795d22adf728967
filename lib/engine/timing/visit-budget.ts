// The budget of a visit: all stops at which a page is waited for while it is scrolled through share a part of the time that is left.
import { type Budget, remaining } from "./budget.ts";

/** The share of the time that is left. */
const STOPS_SHARE = 1 / 3;

export class VisitBudget {
  readonly #now: () => number;
  readonly #until: number;

  /** `now` is the clock of `budget`, in milliseconds. With exact time, real time ends no wait: the budget never ends. */
  constructor(budget: Budget, now: () => number) {
    this.#now = now;
    this.#until = budget.isExact ? Number.POSITIVE_INFINITY : now() + STOPS_SHARE * remaining(budget, now());
  }

  /** True when the rest of the page has to be passed without waiting for it. */
  get isUsedUp(): boolean {
    return this.#now() >= this.#until;
  }
}
