// Concurrency limit of asynchronous captures per account: each job holds a slot of the account until it ends.

import type { Plan } from "../../contract/plans.ts";
import { giveSlotBack, type HeldSlot, releaseSlotUpdate, type SlotCounter, takeSlot } from "../aws/slot-counter.ts";
import { jobSlotsKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { counterShards } from "../usage/counter-shards.ts";
import type { Job } from "./job.ts";

/**
 * Takes one of the slots of an account at `now` (milliseconds since 1970), for a job that is stored with it. Resolves to the
 * number in use when all are taken.
 */
export async function acquireSlot(
  table: string,
  accountId: number,
  { limits, now }: { readonly limits: Pick<Plan, "concurrentJobs" | "requestsPerMinute">; readonly now: number },
): Promise<{ readonly slot: HeldSlot } | { readonly taken: number }> {
  return takeSlot(slotCounter(table, accountId), { limit: limits.concurrentJobs, shards: slotShards(limits), now });
}

/** A job changes its counter twice: when it takes its slot, and when it ends. */
export function slotShards({ requestsPerMinute }: Pick<Plan, "requestsPerMinute">): number {
  return counterShards({ requestsPerMinute: 2 * requestsPerMinute });
}

/** Releases a slot whose job was not stored, or is deleted. */
export async function releaseSlot(table: string, accountId: number, slot: HeldSlot): Promise<void> {
  await giveSlotBack(slotCounter(table, accountId), slot);
}

/** Returns the writes of the transaction that ends a job which release its slot: none when it holds no slot. */
export function releaseSlotWrites(table: string, { account_id, slot }: Pick<Job, "account_id" | "slot">): Write[] {
  return slot ? [{ Update: releaseSlotUpdate(slotCounter(table, account_id), slot) }] : [];
}

function slotCounter(table: string, accountId: number): SlotCounter {
  return { table, keyOf: (shard) => jobSlotsKey(accountId, shard) };
}
