// Quota reservation in the billing period's item of the Usage table: reserve before a capture, settle on success,
// release on failure.
//
// For a hard cap, the used amount is the successes plus the captures in progress, each of which holds a reservation
// that is settled, released, or expires. `screenshots` and `videos` count the successes, which are billed. Without a hard cap
// there is nothing to reserve, and billed-counts.ts counts the successes.
import {
  countTaken,
  type Reservable,
  type ReservationChange,
  type Reserved,
  releaseOne,
  releaseWrite,
  reservationAttributes,
  reservationItem,
  reserve,
} from "../aws/reservations.ts";
import { periodKey, testsKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { billedIncrement } from "./billed-counts.ts";
import type { Allowance } from "./quota.ts";

/**
 * Reserves one capture until `until` (milliseconds since 1970), unless the quota is exhausted. Idempotent per attempt. Resolves to
 * the used amount: with this capture if it is reserved, and then possibly with expired reservations of others.
 */
export async function reserveInPeriod(
  table: string,
  allowance: Allowance,
  times: { readonly now: number; readonly until: number },
): Promise<Reserved> {
  return reserve(quotaCounter(table, allowance), allowance.attempt, times);
}

/** Returns how much of a capped quota is used at `now` (milliseconds since 1970), including captures in progress. */
export async function readUsedQuota(table: string, allowance: Allowance, now: number): Promise<number> {
  return countTaken(quotaCounter(table, allowance), now);
}

/** Releases the reservation of a capture that is not attempted. Does nothing without a reservation. */
export async function releaseQuota(table: string, allowance: Allowance): Promise<void> {
  if (allowance.isCapped) await releaseOne(quotaCounter(table, allowance), allowance.attempt);
}

/** How the transaction of a capture's log accounts for its quota. */
export interface Settlement {
  /** An item of it, and its replacement when the reservation has expired meanwhile. */
  readonly items: readonly { readonly write: Write; readonly otherwise?: Write }[];
  /** Increments of the month's item. */
  readonly billedIncrements: Readonly<Record<string, number>>;
}

/** Counts a successful capture, once, and settles its reservation. */
export function settleSuccess(table: string, allowance: Allowance): Settlement {
  const { credit, period } = allowance;
  if (!allowance.isCapped) return { items: [], billedIncrements: billedIncrement(credit, period) };
  const counter = quotaCounter(table, allowance);
  const { taken, reservation } = reservationAttributes(counter, allowance.attempt);
  const countUpdate = (UpdateExpression: string): ReservationChange => ({
    ...reservationItem(counter),
    UpdateExpression,
    ExpressionAttributeValues: { ":one": 1 },
  });
  const settle = {
    ...countUpdate(`REMOVE ${reservation} ADD ${credit} :one`), // of tests too, in an item that no invoice reads
    ConditionExpression: `attribute_exists(${reservation})`,
  };
  const otherwise = { Update: countUpdate(`ADD ${credit} :one, ${taken} :one`) };
  return { items: [{ write: { Update: settle }, otherwise }], billedIncrements: {} };
}

/** Releases the reservation of a failed capture. */
export function settleFailure(table: string, allowance: Allowance): Settlement {
  const release = { Update: releaseWrite(quotaCounter(table, allowance), allowance.attempt) };
  return { items: allowance.isCapped ? [{ write: release }] : [], billedIncrements: {} };
}

/** A job can end a day after it was queued. */
const TEST_RETENTION_S = 7 * 24 * 60 * 60;

function quotaCounter(table: string, { accountId, period, quota }: Allowance): Reservable {
  const { name, limit } = quota;
  if (name !== "tests") return { table, key: periodKey(accountId, period.start), name, limit };
  const expiry = Math.ceil(Date.parse(period.end) / 1000) + TEST_RETENTION_S;
  return { table, key: testsKey(accountId, period.start.slice(0, 10)), name, limit, expiry };
}
