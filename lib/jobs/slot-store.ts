// Concurrency limit of asynchronous captures per account: a counting semaphore of slots in the Usage table.
import { type Change, type Reservable, releaseOne, releaseWrite, reserveOne } from "../aws/reservations.ts";
import { jobSlotsKey } from "../aws/table-keys.ts";

/** A slot of an account, held by a capture's unique attempt id. */
export interface JobSlot {
  readonly accountId: number;
  readonly attempt: string;
}

/**
 * Acquires one of the account's `limit` slots until `until` (milliseconds since 1970). Resolves to the number in use
 * when all are taken, else to undefined.
 */
export async function acquireSlot(
  table: string,
  slot: JobSlot,
  { limit, ...times }: { readonly limit: number; readonly now: number; readonly until: number },
): Promise<{ readonly taken: number } | undefined> {
  return reserveOne({ ...slotCounter(table, slot), limit }, slot.attempt, times);
}

/** Releases a slot. Does nothing when it is not held. */
export async function releaseSlot(table: string, slot: JobSlot): Promise<void> {
  await releaseOne(slotCounter(table, slot), slot.attempt);
}

/** Returns the transaction item that releases a slot; its condition fails when the slot is not held. */
export function releaseSlotWrite(table: string, slot: JobSlot): Change {
  return releaseWrite(slotCounter(table, slot), slot.attempt);
}

function slotCounter(table: string, { accountId }: JobSlot): Reservable {
  return { table, key: jobSlotsKey(accountId), name: "jobs", limit: Number.POSITIVE_INFINITY };
}
