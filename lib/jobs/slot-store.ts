// How many jobs of an account are queued or being taken: each holds a slot, which it has in the Usage table.
import { type Change, type Reservable, releaseOne, releasing, reserveOne } from "../aws/reservations.ts";
import { jobSlotsKey } from "../aws/table-keys.ts";

/** A slot of an account, held by an attempt at a capture, whose name is like no other. */
export interface JobSlot {
  readonly accountId: number;
  readonly attempt: string;
}

/**
 * Takes a slot until `until` (milliseconds since 1970), of `limit` that the account has. Resolves to how many are taken
 * when none is left.
 */
export async function acquireSlot(
  table: string,
  slot: JobSlot,
  { limit, ...times }: { readonly limit: number; readonly now: number; readonly until: number },
): Promise<{ readonly taken: number } | undefined> {
  return reserveOne({ ...slotsOf(table, slot), limit }, slot.attempt, times);
}

/** Gives a slot back. Does nothing where it is not held. */
export async function releaseSlot(table: string, slot: JobSlot): Promise<void> {
  await releaseOne(slotsOf(table, slot), slot.attempt);
}

/** The write that gives a slot back; its condition is not met where it is not held. */
export function releaseSlotWrite(table: string, slot: JobSlot): Change {
  return releasing(slotsOf(table, slot), slot.attempt);
}

function slotsOf(table: string, { accountId }: JobSlot): Reservable {
  return { table, key: jobSlotsKey(accountId), name: "jobs", limit: Number.POSITIVE_INFINITY };
}
