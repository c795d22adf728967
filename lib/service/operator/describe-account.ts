// An account as an operator sees it: a row of a list, and its page.

import type { Counts } from "../../contract/plan-cost.ts";
import { plans } from "../../contract/plans.ts";
import type { KeyRing } from "../account/account.ts";
import type { DirectoryRow } from "../account/directory.ts";
import { effectiveLimits } from "../account/limits.ts";
import { queryLastUses, readLastUsesOfMany } from "../account/rate-limit-store.ts";
import { periodAt } from "../billing/billing-period.ts";
import { billingTerms, invoice } from "../billing/invoice.ts";
import { invoicesOf } from "../billing/invoice-list.ts";
import { readCounts, readCountsOfMany } from "../billing/period-store.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import { listReceivers } from "../receivers/receiver-store.ts";
import type { AccountRow, OperatedAccount } from "./account-responses.ts";

/** The variables of the environment that the page of an account needs. */
export const accountVariables = ["ACCOUNTS_TABLE", "USAGE_TABLE", "MAX_CONCURRENT_CAPTURES"] as const;
export type AccountEnvironment = Pick<Environment, (typeof accountVariables)[number]>;

/** The rows of accounts at `now` (milliseconds since 1970), each with its use of the current billing period. */
export async function describeRows(
  accounts: readonly DirectoryRow[],
  { USAGE_TABLE }: Pick<Environment, "USAGE_TABLE">,
  now: number,
): Promise<ResponseBody<typeof AccountRow>[]> {
  const [counts, lastUses] = await Promise.all([
    readCountsOfMany(
      USAGE_TABLE,
      accounts.map((account) => ({ id: account.id, period: periodAt(account, now) })),
    ),
    readLastUsesOfMany(
      USAGE_TABLE,
      accounts.map(({ id, limits }) => ({ id, limits: requestLimits(limits) })),
    ),
  ]);
  return accounts.map((account, index) =>
    rowOf(account, { counts: counts[index] ?? NO_COUNTS, lastUse: lastUses.get(account.id), now }),
  );
}

const NO_COUNTS: Counts = { screenshots: 0, videos: 0 };

/** The limits of requests that an account can have had: those of all plans, and its own. */
function requestLimits(limits: DirectoryRow["limits"]): number[] {
  const ofPlans = Object.values(plans).map(({ requestsPerMinute }) => requestsPerMinute);
  const own = limits?.requests_per_minute?.value;
  return [...new Set([...ofPlans, ...(own === undefined ? [] : [own])])];
}

interface Use {
  readonly counts: Counts;
  /** When a key last sent a request. Milliseconds since 1970, as is `now`. */
  readonly lastUse: number | undefined;
  readonly now: number;
}

function rowOf(account: DirectoryRow, { counts, lastUse, now }: Use): ResponseBody<typeof AccountRow> {
  const { id, label, email, plan, requested_plan, created_at, suspension } = account;
  const period = periodAt(account, now);
  const { quotas } = invoice(period, { terms: billingTerms(account, period), counts, now });
  return {
    id,
    label,
    email,
    plan,
    requested_plan,
    created_at,
    suspension: suspension ? { reason: suspension.reason, at: suspension.at } : null,
    quotas: Object.entries(quotas).map(([name, { used, limit }]) => ({ name, used, limit })),
    last_used_at: toTimestamp(lastUse),
  };
}

/** An account at `now` (milliseconds since 1970), with its keys, receivers, limits, and invoices. It has no secret. */
export async function describeAccount(
  { account, keys }: KeyRing,
  { ACCOUNTS_TABLE, USAGE_TABLE, MAX_CONCURRENT_CAPTURES }: AccountEnvironment,
  now: number,
): Promise<ResponseBody<typeof OperatedAccount>> {
  const [counts, lastUses, receivers, invoices] = await Promise.all([
    readCounts(USAGE_TABLE, account.id, periodAt(account, now)),
    queryLastUses(USAGE_TABLE, account.id),
    listReceivers(ACCOUNTS_TABLE, account.id),
    invoicesOf(USAGE_TABLE)(account, now),
  ]);
  return {
    ...rowOf(account, { counts, lastUse: lastUses.size === 0 ? undefined : Math.max(...lastUses.values()), now }),
    limits: effectiveLimits(account, now, MAX_CONCURRENT_CAPTURES),
    keys: keys.map(({ id, label, key_prefix, scopes, created_at, expires_at, revoked_at }) => {
      const last_used_at = toTimestamp(lastUses.get(id));
      return { id, label, key_prefix, scopes, created_at, expires_at, revoked_at, last_used_at };
    }),
    receivers: receivers.map(({ id, name, url, status }) => ({ id, name, origin: new URL(url).origin, status })),
    invoices: invoices.map(({ period, status, plan, payment, total, currency }) => ({
      ...{ period, status, plan, payment },
      ...{ total, currency },
    })),
  };
}

function toTimestamp(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
