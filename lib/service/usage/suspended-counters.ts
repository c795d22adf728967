// Lets no capture of a suspended account succeed, also one that is in progress. Each capture counts in the item of its month and API key,
// under the condition that the item has no mark. So the check is part of a write that is made anyway: it costs no further request.
import { plans } from "../../contract/plans.ts";
import type { Account, KeyRing } from "../account/account.ts";
import { queryItems, updateItem } from "../aws/items.ts";
import { monthKey, monthsPartition } from "../aws/table-keys.ts";
import { QUEUED_RENDER_DAYS } from "../jobs/message-retention.ts";
import { inOrder } from "../platform/in-order.ts";
import { SESSION_KEY_ID } from "../sessions/session.ts";
import { counterShards } from "./counter-shards.ts";
import { DAY_MS, utcMonth } from "./day.ts";
import { SUSPENDED_ATTRIBUTE } from "./day-counter-item.ts";

/**
 * Marks the counters of all captures of an account that can be in progress at `now` (milliseconds since 1970). Those of queued captures may
 * be of the month before.
 */
export async function markCounters(table: string, { account, keys }: KeyRing, now: number): Promise<void> {
  const oldest = now - QUEUED_RENDER_DAYS * DAY_MS;
  const inUse = keys.filter(({ revoked_at }) => revoked_at === null || Date.parse(revoked_at) > oldest);
  const keyIds = [SESSION_KEY_ID, ...inUse.map(({ id }) => id)];
  const months = new Set([oldest, now].map((time) => utcMonth(time)));
  const counters = [...months].flatMap((month) =>
    keyIds.flatMap((keyId) =>
      shardsOf(account).map((shard) => ({ keyId, key: monthKey(account.id, month, keyId, shard) })),
    ),
  );
  await inOrder(counters, ({ keyId, key }) =>
    // Without a TTL: the first capture that is counted sets it.
    updateItem(table, key, {
      update: `SET #${SUSPENDED_ATTRIBUTE} = :now, api_key_id = :key`,
      values: { ":now": now, ":key": keyId },
    }),
  );
}

/** Removes the marks of an account. */
export async function unmarkCounters(table: string, accountId: number): Promise<void> {
  const items = await queryItems(table, monthsPartition(accountId));
  const marked = items.filter((item) => SUSPENDED_ATTRIBUTE in item);
  await inOrder(marked, ({ pk, sk }) =>
    updateItem(
      table,
      { pk: String(pk), sk: String(sk) },
      { update: `REMOVE #${SUSPENDED_ATTRIBUTE}`, condition: "attribute_exists(pk)" },
    ),
  );
}

/** As many as an account can have had on any plan: a capture in progress may be of a plan that has changed since. */
function shardsOf({ limits }: Account): number[] {
  const rates = Object.values(plans).map(({ requestsPerMinute }) => requestsPerMinute);
  const requestsPerMinute = Math.max(...rates, limits?.requests_per_minute?.value ?? 0);
  return [...Array(counterShards({ requestsPerMinute })).keys()];
}
