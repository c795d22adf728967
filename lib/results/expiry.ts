// How long objects of the bucket live: each lifetime class is a key prefix and a lifecycle rule.

export interface LifetimeClass {
  /** Key prefix of the class, without the slash. */
  readonly name: string;
  /** Longest lifetime that belongs to the class, in days. */
  readonly days: number;
}

/** Shortest first. The bucket only sweeps, whole days late; a link's own expiry is exact. */
export const lifetimeClasses: readonly LifetimeClass[] = [
  { name: "1-day", days: 1 },
  { name: "7-days", days: 7 },
  { name: "30-days", days: 30 },
];

/**
 * What the service keeps for itself lies apart from results: no link leads there, and a function may read the one without
 * the other. Options can hold secrets of callers, and wait here for as long as their message may wait in its queue.
 */
export const resultPrefixes = {
  options: { name: "options", days: 7 },
  answers: { name: "answers", days: 1 },
} as const satisfies Readonly<Record<string, LifetimeClass>>;

/** Lifetime of a result when nothing else was asked for, in seconds. */
export const DEFAULT_LIFETIME_S = 24 * 60 * 60;

/** The class whose objects outlive `lifetimeSeconds`. Throws a RangeError beyond the longest class. */
export function lifetimeClass(lifetimeSeconds: number): LifetimeClass {
  const fitting = lifetimeClasses.find(({ days }) => lifetimeSeconds <= days * 24 * 60 * 60);
  if (fitting) return fitting;
  throw new RangeError(
    `No result lives ${lifetimeSeconds} s; the longest lifetime is ${lifetimeClasses.at(-1)?.days} days.`,
  );
}
