// Limits of one account: those of its plan, or what the operator has set instead, each until a time.
//
// An override is stored with the account and in its callers, so that a request learns it with the key that it presents. One whose time
// is over has no effect from that moment on, without a write.
import { validationError } from "../../contract/options/parse-options.ts";
import { plans } from "../../contract/plans.ts";
import { MAX_KEYS } from "../keys/key-count.ts";
import type { Caller, KeyRing, LimitName, LimitOverrides } from "./account.ts";
import { limitNames } from "./account.ts";

/**
 * The least and the most that an override can be. An account without any requests can't even be read, for which it is suspended
 * instead. The most requests are those whose counters and slots have as many shards as `docs/operations.md` describes; keys, as many
 * as one transaction can rewrite.
 */
export const limitBounds: Readonly<Record<LimitName, { readonly minimum: number; readonly maximum: number }>> = {
  requests_per_minute: { minimum: 1, maximum: 10_000 },
  concurrent_captures: { minimum: 0, maximum: 10_000 },
  captures_per_day: { minimum: 0, maximum: 1_000_000 },
  api_keys: { minimum: 0, maximum: MAX_KEYS },
  concurrent_jobs: { minimum: 0, maximum: 100_000 },
};

/** A limit as it applies at a moment. */
export interface EffectiveLimit<Value extends number | null = number> {
  readonly value: Value;
  /** When the override ends and the limit of the plan applies again; null for the limit of the plan, and for an override without end. */
  readonly until: string | null;
  /** True for a limit that the operator has set for the account. */
  readonly is_override: boolean;
}

/** All limits of an account. `Share` is the type of a share of the plan. */
export interface EffectiveLimits<Share extends number | null = number | null>
  extends Readonly<Record<LimitName, EffectiveLimit<number | null>>> {
  /** Requests in any 60 seconds. */
  readonly requests_per_minute: EffectiveLimit;
  /** Synchronous captures at the same time; null for the share of the plan in a capacity that is not known. */
  readonly concurrent_captures: EffectiveLimit<number | Share>;
  /** Successful captures on a UTC day, without those of API keys for tests; null for no limit. */
  readonly captures_per_day: EffectiveLimit<number | null>;
  /** API keys that aren't revoked. */
  readonly api_keys: EffectiveLimit;
  /** Asynchronous captures that are queued or processing. */
  readonly concurrent_jobs: EffectiveLimit;
}

type LimitedAccount = Pick<Caller["account"], "plan" | "limits">;

/**
 * Returns the limits of an account at `now` (milliseconds since 1970). `capacity` is the number of synchronous captures that the
 * deployment can run at the same time, of which the plan gives a share.
 */
export function effectiveLimits(account: LimitedAccount, now: number, capacity: number): EffectiveLimits<number>;
export function effectiveLimits(account: LimitedAccount, now: number): EffectiveLimits;
export function effectiveLimits(account: LimitedAccount, now: number, capacity?: number): EffectiveLimits {
  const { requestsPerMinute, concurrentJobs } = plans[account.plan];
  return {
    requests_per_minute: limitAt(account, "requests_per_minute", { now, ofPlan: requestsPerMinute }),
    concurrent_captures:
      capacity === undefined
        ? limitAt(account, "concurrent_captures", { now, ofPlan: null })
        : concurrencyLimit(account, { capacity, now }),
    captures_per_day: limitAt(account, "captures_per_day", { now, ofPlan: null }),
    api_keys: limitAt(account, "api_keys", { now, ofPlan: MAX_KEYS }),
    concurrent_jobs: limitAt(account, "concurrent_jobs", { now, ofPlan: concurrentJobs }),
  };
}

/** Returns how many synchronous captures an account may run at the same time: at least one by its plan, and what the operator has set. */
export function concurrencyLimit(
  account: LimitedAccount,
  { capacity, now }: { readonly capacity: number; readonly now: number },
): EffectiveLimit {
  const share = Math.max(1, Math.floor(capacity * plans[account.plan].captureShare));
  return limitAt(account, "concurrent_captures", { now, ofPlan: share });
}

function limitAt<Value extends number | null>(
  { limits }: LimitedAccount,
  name: LimitName,
  { now, ofPlan }: { readonly now: number; readonly ofPlan: Value },
): EffectiveLimit<Value | number> {
  const override = limits?.[name];
  if (!override || !isInForce(override, now)) return { value: ofPlan, until: null, is_override: false };
  return { value: override.value, until: override.until, is_override: true };
}

type Override = NonNullable<LimitOverrides[LimitName]>;

function isInForce({ until }: Override, now: number): boolean {
  return until === null || Date.parse(until) > now;
}

/** Overrides to set, and limits to give back to the plan (null). Those that are missing stay as they are. */
export type LimitChanges = Readonly<
  Partial<Record<LimitName, { readonly value: number; readonly until: string | null } | null>>
>;

/**
 * Sets and removes overrides at `now` (milliseconds since 1970); those whose time is over are removed. Returns `ring` itself when
 * nothing changes. Throws `VALIDATION_ERROR` for a value outside of `limitBounds`, and for an end that is not in the future.
 */
export function withLimits(ring: KeyRing, changes: LimitChanges, now: number): KeyRing {
  const problems = limitNames.flatMap((name) => {
    const problem = changes[name] && limitProblem(name, changes[name], now);
    return problem ? [[name, problem] as const] : [];
  });
  if (problems.length > 0) throw validationError(problems);
  const { limits: before = {}, ...account } = ring.account;
  const overrides = limitNames.flatMap((name) => {
    const { [name]: stored } = before;
    const { [name]: change = stored } = changes;
    return change && isInForce(change, now) ? [[name, toOverride(change)] as const] : [];
  });
  const limits: LimitOverrides = Object.fromEntries(overrides);
  if (JSON.stringify(limits) === JSON.stringify(sorted(before))) return ring;
  return { ...ring, account: { ...account, ...(overrides.length > 0 && { limits }) } };
}

function limitProblem(name: LimitName, { value, until }: Override, now: number): string | undefined {
  const { minimum, maximum } = limitBounds[name];
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    return `must be a whole number from ${minimum} to ${maximum}, not ${value}`;
  }
  return until === null || Date.parse(until) > now ? undefined : `must end in the future, not at ${until}`;
}

/** An override as it is stored: with its end in UTC. */
function toOverride({ value, until }: Override): Override {
  return { value, until: until === null ? null : new Date(until).toISOString() };
}

/** The overrides in the order of their names, in which they are compared: a table returns them in any order. */
function sorted(limits: LimitOverrides): LimitOverrides {
  return Object.fromEntries(limitNames.flatMap((name) => (limits[name] ? [[name, toOverride(limits[name])]] : [])));
}
