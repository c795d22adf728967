// Lifetime classes of bucket objects: each is a key prefix with an S3 lifecycle rule.
import { FAILED_RENDER_DAYS, QUEUED_RENDER_DAYS } from "../jobs/message-retention.ts";

export interface LifetimeClass {
  /** Key prefix of the class, without the slash. */
  readonly name: string;
  /** Maximum lifetime of the class, in days. */
  readonly days: number;
}

/** Shortest first. S3 lifecycle rules delete whole days late; links expire exactly. */
export const lifetimeClasses: readonly LifetimeClass[] = [
  { name: "1-day", days: 1 },
  { name: "7-days", days: 7 },
  { name: "30-days", days: 30 },
];

/**
 * Internal objects have prefixes of their own: a function's role can be limited to one of them, and no link leads there, except to
 * files of exports. Raw options can contain secrets. They are deleted with the end of their job, and if that failed because of the service, kept as
 * long as its message: until it is dead, and then until the operator can't capture it again any more. Renderings are what passes between a
 * function and its renderer, and are deleted when they were read.
 */
export const internalPrefixes = {
  options: { name: "options", days: QUEUED_RENDER_DAYS + FAILED_RENDER_DAYS },
  answers: { name: "answers", days: 1 },
  thumbnails: { name: "thumbnails", days: 30 },
  exports: { name: "exports", days: 7 },
  renderings: { name: "renderings", days: 1 },
} as const satisfies Readonly<Record<string, LifetimeClass>>;

/** Key prefix of the status page, whose few objects are overwritten and never expire. */
export const STATUS_PREFIX = "status";

/** Default lifetime of a result, in seconds. */
export const DEFAULT_LIFETIME_S = 24 * 60 * 60;

/**
 * Returns the shortest class that keeps objects for `lifetimeSeconds`. Throws a RangeError beyond the longest class.
 */
export function lifetimeClass(lifetimeSeconds: number): LifetimeClass {
  const shortest = lifetimeClasses.find(({ days }) => lifetimeSeconds <= days * 24 * 60 * 60);
  if (shortest) return shortest;
  throw new RangeError(
    `A result cannot live ${lifetimeSeconds} s; the maximum is ${lifetimeClasses.at(-1)?.days} days.`,
  );
}
