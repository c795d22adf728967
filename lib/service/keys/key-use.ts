// How API keys are used: when each was used last, and how many captures it has made in the billing period.

import type { Account } from "../account/account.ts";
import { queryLastUses } from "../account/rate-limit-store.ts";
import { periodAt } from "../billing/billing-period.ts";
import { readKeyCounts } from "../billing/period-store.ts";

/** The use of an account's keys, each by the id of the key. */
export interface KeyUse {
  /** Milliseconds since 1970. */
  readonly lastUses: ReadonlyMap<number, number>;
  /** Successful captures of the billing period. */
  readonly captures: ReadonlyMap<number, number>;
}

export const noKeyUse: KeyUse = { lastUses: new Map(), captures: new Map() };

/** Reads the use of an account's keys at `now` (milliseconds since 1970). */
export async function readKeyUse(
  table: string,
  account: Pick<Account, "id" | "created_at" | "billed_from">,
  now: number,
): Promise<KeyUse> {
  const [lastUses, captures] = await Promise.all([
    queryLastUses(table, account.id),
    readKeyCounts(table, account.id, periodAt(account, now)),
  ]);
  return { lastUses, captures };
}
