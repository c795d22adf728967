// Rate limit of an account: a sliding-window log of 60 seconds in one DynamoDB item, updated by one conditional write.
//
// The item holds `admitted`, the number of requests ever admitted, and `ceiling`, which is always `admitted` plus the
// limit. For each second with a request it also holds a mark: the value of `ceiling` when that second began, which is
// the value that `admitted` may reach while the second is in the window. A request exceeds the limit exactly when
// `admitted` has reached a mark of the last 60 seconds, and that comparison is all that the ConditionExpression does.
// The lowest mark in the window, which is the oldest, decides.

import { ApiError } from "../../contract/errors/api-error.ts";

/** How long a request counts: 60 seconds, plus up to one, because time is counted in whole seconds. */
const WINDOW_S = 60;
/** Concurrent requests arrive in any order: marks may already exist for this many later seconds. */
const OUT_OF_ORDER_S = 10;
/** Prefixes, because attribute names must not be DynamoDB's reserved words, such as `storage`. */
const MARK = /^s_([0-9a-z]+)$/;
const LAST_USE = /^k_(\d+)$/;
/** Number of expired marks at which they are removed. */
const MAX_EXPIRED_MARKS = 60;

/** State of the limit after a request, returned in its headers. */
export interface RateLimitState {
  /** How many requests it counts as. */
  readonly cost: number;
  readonly limit: number;
  readonly remaining: number;
  /** Second since 1970 at which the window moves on and more requests become possible. */
  readonly reset: number;
  /** Second since 1970 at which as many are possible as the request counts as. */
  readonly possibleAt: number;
}

/** A request that is to be admitted at `now`, in milliseconds since 1970. */
export interface LimitedRequest {
  readonly limit: number;
  readonly keyId: number;
  readonly now: number;
  /** When the item expires, in seconds since 1970. @default never */
  readonly expiry?: number;
  /** How many requests it counts as, at most `limit`. @default 1 */
  readonly cost?: number;
}

/**
 * Returns the update that admits a request, with its condition. DynamoDB compares attributes, but doesn't add in a condition: a request
 * that counts as several is admitted by optimistic locking on `seen`, what `admitted` was when the item was read.
 */
export function admissionUpdate({ limit, keyId, now, expiry, cost = 1 }: LimitedRequest, seen?: number) {
  const second = toSecond(now);
  const { first, last } = comparedSeconds(now);
  const marks = Array.from({ length: last - first + 1 }, (_, index) => markName(first + index));
  const admitted = seen === undefined ? "admitted" : ":highest";
  const isBelowMarks = `NOT (${marks.map((mark) => `${mark} <= ${admitted}`).join(" OR ")})`;
  return {
    update:
      "SET admitted = if_not_exists(admitted, :none) + :cost, ceiling = if_not_exists(ceiling, :limit) + :cost, " +
      `${markName(second)} = if_not_exists(${markName(second)}, if_not_exists(ceiling, :limit)), ${lastUseName(keyId)} = :now` +
      (expiry === undefined ? "" : ", #ttl = :expiry"),
    // DynamoDB evaluates a comparison with a missing attribute to false.
    condition:
      seen === undefined
        ? isBelowMarks
        : `(admitted = :seen OR (attribute_not_exists(admitted) AND :seen = :none)) AND ${isBelowMarks}`,
    values: {
      ":none": 0,
      ":cost": cost,
      ...(seen !== undefined && { ":seen": seen, ":highest": seen + cost - 1 }),
      ":limit": limit,
      ":now": now,
      ...(expiry !== undefined && { ":expiry": expiry }),
    },
  };
}

type Item = Readonly<Record<string, unknown>>;

/**
 * Returns the state of the limit at `now` (milliseconds since 1970), from the item after an admitted or rejected
 * request.
 */
export function rateLimitState(
  item: Item,
  { limit, now, cost = 1 }: Pick<LimitedRequest, "limit" | "now" | "cost">,
): RateLimitState {
  const admitted = admittedRequests(item);
  const { first, last } = comparedSeconds(now);
  const marks = parseMarks(item).filter(({ second }) => second >= first && second <= last);
  const [lowest] = marks;
  const blocking = marks.findLast(({ ceiling }) => ceiling - admitted < cost) ?? lowest;
  const leavesAt = (second = toSecond(now)) => second + WINDOW_S + 1;
  return {
    cost,
    limit,
    remaining: lowest ? Math.max(0, lowest.ceiling - admitted) : limit,
    reset: leavesAt(lowest?.second),
    possibleAt: leavesAt(blocking?.second),
  };
}

/** Returns how many requests the item has ever admitted. */
export function admittedRequests(item: Item): number {
  return Number(item["admitted"] ?? 0);
}

/** Returns the rate limit headers of every response. */
export function rateLimitHeaders({
  cost,
  limit,
  remaining,
  reset,
}: Omit<RateLimitState, "possibleAt">): Record<string, string> {
  return {
    "X-RateLimit-Cost": String(cost),
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(reset),
  };
}

/** What the sessions of an account may request in 60 seconds, captures excepted. A page of captures has up to 100 thumbnails. */
export const sessionLimits = { requests: 120, thumbnails: 600 } as const;
export type SessionLimit = keyof typeof sessionLimits;

/** Views of one signed link, answered from the cache or by 304, that are allowed in 60 seconds. */
export const LINK_VIEWS_PER_MINUTE = 600;

/** What is limited, and by what, as the first sentence of the error. */
const limited = {
  plan: (limit: number) => `The account has sent the ${limit} requests its plan allows in 60 seconds.`,
  operator: (limit: number) =>
    `The account has sent as many requests as the operator of the service allows it in 60 seconds: ${limit}.`,
  link: (limit: number) => `This signed link has been requested the ${limit} times that are allowed in 60 seconds.`,
  session: (limit: number) => `The account's sessions have sent the ${limit} requests that are allowed in 60 seconds.`,
};

export type LimitedBy = keyof typeof limited;

function tooCostly({ cost, remaining }: Pick<RateLimitState, "cost" | "remaining">): string {
  return `The request counts as ${cost}, one for each load of the page that its outputs need, and ${remaining} are left of those that the account can send in 60 seconds.`;
}

/** Returns the 429 error at `now` (milliseconds since 1970), with Retry-After. */
export function rateLimitError(
  { cost, limit, remaining, possibleAt }: Omit<RateLimitState, "reset">,
  now: number,
  by: LimitedBy = "plan",
): ApiError {
  const seconds = Math.max(1, Math.ceil(possibleAt - now / 1000));
  const reason = cost > 1 && remaining > 0 ? tooCostly({ cost, remaining }) : limited[by](limit);
  const message = `${reason} Try again in ${seconds} s.`;
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(seconds) } });
}

/** Returns the names of expired marks once there are many, so that the item stays small. */
export function expiredMarks(item: Item, now: number): string[] {
  const { first } = comparedSeconds(now - OUT_OF_ORDER_S * 1000);
  const expired = parseMarks(item).filter(({ second }) => second < first);
  return expired.length > MAX_EXPIRED_MARKS ? expired.map(({ second }) => markName(second)) : [];
}

/** Returns when each key was last used, in milliseconds since 1970, from all rate limit items of an account. */
export function parseLastUses(items: readonly Item[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (const [name, time] of items.flatMap((item) => Object.entries(item))) {
    const keyId = Number(LAST_USE.exec(name)?.[1]);
    if (keyId) uses.set(keyId, Math.max(uses.get(keyId) ?? 0, Number(time)));
  }
  return uses;
}

/** Parses the marks of an item, lowest first. */
function parseMarks(item: Item): { second: number; ceiling: number }[] {
  return Object.entries(item)
    .map(([name, ceiling]) => ({ second: Number.parseInt(MARK.exec(name)?.[1] ?? "", 36), ceiling: Number(ceiling) }))
    .filter(({ second }) => !Number.isNaN(second))
    .sort((a, b) => a.ceiling - b.ceiling);
}

/** Returns the range of seconds whose marks limit a request at `now`. */
function comparedSeconds(now: number): { first: number; last: number } {
  return { first: toSecond(now) - WINDOW_S, last: toSecond(now) + OUT_OF_ORDER_S };
}

function markName(second: number): string {
  return `s_${second.toString(36)}`;
}

function lastUseName(keyId: number): string {
  return `k_${keyId}`;
}

function toSecond(now: number): number {
  return Math.floor(now / 1000);
}
