// The rate limit of an account: so many requests in any 60 seconds, counted in one item by one write for each request.
//
// The item holds `admitted`, the number of requests ever admitted, and `ceiling`, which is always the limit above it.
// For each second with a request it also holds a mark: what `ceiling` was when that second began. Since then as many
// were admitted as `admitted` has come closer to that mark, so that a request is one too many exactly when a mark of
// the last 60 seconds has been reached. Comparing the two is all that a condition of DynamoDB has to do. Of the marks in
// reach the lowest decides, which is the one made first.

import { ApiError } from "../errors/api-error.ts";

/** The longest a request counts: 60 seconds, and up to one more, because seconds are counted as a whole. */
const WINDOW_SECONDS = 60;
/** Requests of one moment are written in any order: that of a later second may have been written already. */
const OUT_OF_ORDER_SECONDS = 10;
/** Their names cannot be words that DynamoDB reserves, such as `storage`. */
const MARK = /^s_([0-9a-z]+)$/;
const LAST_USE = /^k_(\d+)$/;
/** Marks that may lie about outside the window before they are removed. */
const MAX_STALE_MARKS = 60;

/** What the answer to a request tells of the limit. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Second since 1970 at which more requests will be possible than now. */
  readonly reset: number;
}

/** The update that admits a request of a key at `now` (milliseconds since 1970), and the condition under which it may. */
export function admissionUpdate({ limit, keyId, now }: { limit: number; keyId: number; now: number }) {
  const second = secondOf(now);
  const { first, last } = reachOf(now);
  const marks = Array.from({ length: last - first + 1 }, (_, index) => markOf(first + index));
  return {
    UpdateExpression:
      "SET admitted = if_not_exists(admitted, :none) + :one, ceiling = if_not_exists(ceiling, :limit) + :one, " +
      `${markOf(second)} = if_not_exists(${markOf(second)}, if_not_exists(ceiling, :limit)), ${lastUseOf(keyId)} = :now`,
    // A comparison with what is not there is false.
    ConditionExpression: `NOT (${marks.map((mark) => `${mark} <= admitted`).join(" OR ")})`,
    ExpressionAttributeValues: { ":none": 0, ":one": 1, ":limit": limit, ":now": now },
  };
}

type Item = Readonly<Record<string, unknown>>;

/** What an item says at `now`, as it is after a request was admitted or because of which one was not. */
export function rateLimitState(item: Item, { limit, now }: { limit: number; now: number }): RateLimitState {
  const { admitted = 0 } = item as { admitted?: number };
  const { first, last } = reachOf(now);
  const [lowest] = marksOf(item).filter(({ second }) => second >= first && second <= last);
  return {
    limit,
    remaining: lowest ? Math.max(0, lowest.ceiling - admitted) : limit,
    reset: (lowest?.second ?? secondOf(now)) + WINDOW_SECONDS + 1,
  };
}

/** What every answer to a request tells. */
export function rateLimitHeaders({ limit, remaining, reset }: RateLimitState): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(reset),
  };
}

/** The refusal of a request at `now` (milliseconds since 1970), which says when the next one is possible. */
export function rateLimitError({ limit, reset }: RateLimitState, now: number): ApiError {
  const seconds = Math.max(1, Math.ceil(reset - now / 1000));
  const message = `The account has sent the ${limit} requests its plan allows in 60 seconds. Try again in ${seconds} s.`;
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(seconds) } });
}

/** Names of marks that no request compares any more, once there are many. */
export function expiredMarks(item: Item, now: number): string[] {
  const { first } = reachOf(now - OUT_OF_ORDER_SECONDS * 1000);
  const stale = marksOf(item).filter(({ second }) => second < first);
  return stale.length > MAX_STALE_MARKS ? stale.map(({ second }) => markOf(second)) : [];
}

/** When each key was last used, in milliseconds since 1970, by any of an account's items. */
export function parseLastUses(items: readonly Item[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (const [name, time] of items.flatMap((item) => Object.entries(item))) {
    const keyId = Number(LAST_USE.exec(name)?.[1]);
    if (keyId) uses.set(keyId, Math.max(uses.get(keyId) ?? 0, Number(time)));
  }
  return uses;
}

/** The marks of an item, lowest first. */
function marksOf(item: Item): { second: number; ceiling: number }[] {
  return Object.entries(item)
    .map(([name, ceiling]) => ({ second: Number.parseInt(MARK.exec(name)?.[1] ?? "", 36), ceiling: Number(ceiling) }))
    .filter(({ second }) => !Number.isNaN(second))
    .sort((a, b) => a.ceiling - b.ceiling);
}

/** The seconds whose marks a request at `now` is compared with. */
function reachOf(now: number): { first: number; last: number } {
  return { first: secondOf(now) - WINDOW_SECONDS, last: secondOf(now) + OUT_OF_ORDER_SECONDS };
}

function markOf(second: number): string {
  return `s_${second.toString(36)}`;
}

function lastUseOf(keyId: number): string {
  return `k_${keyId}`;
}

function secondOf(now: number): number {
  return Math.floor(now / 1000);
}
