// The monthly limit of an API key: how many of its captures can succeed in a billing period, and the error when they have.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { Caller, MonthlyLimit } from "../account/account.ts";
import type { BillingPeriod } from "./billing-period.ts";

/** A limit as it applies to the captures of a period. */
export interface KeyLimit {
  readonly keyId: number;
  readonly captures: number;
  /** Captures of the period that the counter lacks, because the key had no limit then. */
  readonly earlier: number;
}

/** Returns the limit of a caller's key in a period; undefined for a key without one. */
export function keyLimitIn(
  { key }: Pick<Caller, "key">,
  { start }: Pick<BillingPeriod, "start">,
): KeyLimit | undefined {
  const { id: keyId, monthly_limit: limit } = key;
  return limit && { keyId, captures: limit.captures, earlier: earlierIn(limit, start) };
}

function earlierIn({ earlier }: MonthlyLimit, start: string): number {
  return earlier.start === start ? earlier.captures : 0;
}

/** Returns the 402 error when `taken` captures of a limited key are used, those in progress too. */
export function keyLimitExceeded(
  { keyId, captures }: KeyLimit,
  { taken, resetsAt }: { readonly taken: number; readonly resetsAt: string | null },
): ApiError {
  const reset = resetsAt === null ? "" : ` It resets at ${resetsAt}.`;
  const message =
    `This API key has reached its monthly limit: ${taken} of ${captures} captures are taken.${reset} Raise its limit under API ` +
    `keys in the dashboard, or send another \`monthly_limit\` to PATCH /api/v1/keys/${keyId}.`;
  return new ApiError("QUOTA_EXCEEDED", message, {
    figures: { quota: "key", limit: captures, used: taken, resets_at: resetsAt },
  });
}
