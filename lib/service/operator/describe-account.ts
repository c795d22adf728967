// An account as an operator sees it: a row of a list, and its page.

import type { KeyRing } from "../account/account.ts";
import type { DirectoryRow } from "../account/directory.ts";
import { effectiveLimits } from "../account/limits.ts";
import { queryLastUses } from "../account/rate-limit-store.ts";
import { periodAt } from "../billing/billing-period.ts";
import { billingTerms, invoice } from "../billing/invoice.ts";
import { invoicesOf } from "../billing/invoice-list.ts";
import { readCounts } from "../billing/period-store.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import { listReceivers } from "../receivers/receiver-store.ts";
import type { AccountRow, OperatedAccount } from "./account-responses.ts";

/** The variables of the environment that the page of an account needs. */
export const accountVariables = ["ACCOUNTS_TABLE", "USAGE_TABLE", "MAX_CONCURRENT_CAPTURES"] as const;
export type AccountEnvironment = Pick<Environment, (typeof accountVariables)[number]>;

/** The row of an account at `now` (milliseconds since 1970), with its use of the current billing period. */
export async function describeRow(
  account: DirectoryRow,
  { USAGE_TABLE }: Pick<Environment, "USAGE_TABLE">,
  now: number,
): Promise<ResponseBody<typeof AccountRow>> {
  const period = periodAt(account, now);
  const [counts, lastUses] = await Promise.all([
    readCounts(USAGE_TABLE, account.id, period),
    queryLastUses(USAGE_TABLE, account.id),
  ]);
  return rowOf(account, { counts, lastUses, now });
}

type Use = {
  readonly counts: Awaited<ReturnType<typeof readCounts>>;
  readonly lastUses: ReadonlyMap<number, number>;
  /** Milliseconds since 1970. */
  readonly now: number;
};

function rowOf(account: DirectoryRow, { counts, lastUses, now }: Use): ResponseBody<typeof AccountRow> {
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
    last_used_at: toTimestamp(lastUses.size === 0 ? undefined : Math.max(...lastUses.values())),
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
    ...rowOf(account, { counts, lastUses, now }),
    limits: effectiveLimits(account, now, MAX_CONCURRENT_CAPTURES),
    keys: keys.map(({ id, label, key_prefix, scopes, created_at, expires_at, revoked_at }) => {
      const last_used_at = toTimestamp(lastUses.get(id));
      return { id, label, key_prefix, scopes, created_at, expires_at, revoked_at, last_used_at };
    }),
    receivers: receivers.map(({ id, name, url, status }) => ({ id, name, origin: new URL(url).origin, status })),
    invoices: invoices.map(({ period, status, plan, total, currency }) => ({ period, status, plan, total, currency })),
  };
}

function toTimestamp(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
