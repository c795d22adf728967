// Limits on successful captures other than the quota: of an API key in a billing period, and of an account on a UTC day. Each is a hard
// cap with a counter of its own. An account without such a limit has no counter of it, which no capture reads or writes.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { Caller, MonthlyLimit } from "../account/account.ts";
import { effectiveLimits } from "../account/limits.ts";
import { isTestCaller } from "../captures/test-caller.ts";
import { DAY_MS, utcDay } from "../usage/day.ts";
import { type BillingPeriod, isUnbilled } from "./billing-period.ts";

/** The monthly limit of an API key as it applies to the captures of a period. */
export interface KeyLimit {
  readonly keyId: number;
  readonly captures: number;
  /** Captures of the period that the counter lacks, because the key had no limit then. */
  readonly earlier: number;
}

/** The daily limit that the operator has set for an account, as it applies to the captures of a day. */
export interface DayLimit {
  /** UTC day, written `2026-01-31`. */
  readonly date: string;
  readonly captures: number;
}

/** The limits that apply to a capture. */
export interface CaptureLimits {
  readonly keyLimit?: KeyLimit;
  readonly dayLimit?: DayLimit;
}

/** One of them. */
export type CaptureLimit = ({ readonly of: "key" } & KeyLimit) | ({ readonly of: "day" } & DayLimit);

/** Lists the limits of a capture, in the order in which they are reserved. */
export function listLimits({ keyLimit, dayLimit }: CaptureLimits): CaptureLimit[] {
  return [
    ...(keyLimit ? [{ of: "key" as const, ...keyLimit }] : []),
    ...(dayLimit ? [{ of: "day" as const, ...dayLimit }] : []),
  ];
}

/** Returns the limits of a caller's captures that are requested at `now` (milliseconds since 1970), in its billing period of that moment. */
export function captureLimitsAt(
  caller: Pick<Caller, "account" | "key">,
  { period: { start }, now }: { readonly period: Pick<BillingPeriod, "start">; readonly now: number },
): CaptureLimits {
  const { id: keyId, monthly_limit: limit } = caller.key;
  const perDay = isTestCaller(caller) ? null : effectiveLimits(caller.account, now).captures_per_day.value;
  return {
    ...(limit && { keyLimit: { keyId, captures: limit.captures, earlier: earlierIn(limit, start) } }),
    ...(perDay !== null && { dayLimit: { date: utcDay(now), captures: perDay } }),
  };
}

function earlierIn({ earlier }: MonthlyLimit, start: string): number {
  return earlier.start === start ? earlier.captures : 0;
}

/** Returns when a day ends, as a timestamp. */
export function endOfDay(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString();
}

/** Returns the 402 error when `taken` captures of a limit are used in a billing period, those in progress too. */
export function limitExceeded(
  limit: CaptureLimit,
  { taken, period }: { readonly taken: number; readonly period: BillingPeriod },
): ApiError {
  const { captures } = limit;
  const quota = limit.of === "key" ? "key" : "captures_per_day";
  const resets_at = limit.of === "day" ? endOfDay(limit.date) : isUnbilled(period) ? null : period.end;
  const state = `${taken} of ${captures} captures are taken.${resets_at === null ? "" : ` It resets at ${resets_at}.`}`;
  const message =
    limit.of === "key"
      ? `This API key has reached its monthly limit: ${state} Raise its limit under API keys in the dashboard, or send another ` +
        `\`monthly_limit\` to PATCH /api/v1/keys/${limit.keyId}.`
      : `The account has reached the limit of captures a day that the operator of the service has set for it: ${state}`;
  return new ApiError("QUOTA_EXCEEDED", message, { figures: { quota, limit: captures, used: taken, resets_at } });
}
