// Captures counted in the items of billing periods, in the Usage table: reserved, settled by a success or released.
//
// Where the quota is a cap, what is taken of it are successes and those under way, each of which is a reservation that is
// settled, released, or expires. `screenshots` and `videos` are the successes, which are billed.
import {
  type Change,
  countTaken,
  type Reservable,
  releaseOne,
  releasing,
  reservationAttributes,
  reservationItem,
  reserveOne,
} from "../aws/reservations.ts";
import { periodKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import type { Allowance } from "./quota.ts";

/**
 * Reserves a capture until `until` (milliseconds since 1970), once however often it is asked for the same attempt.
 * Resolves to what is taken when nothing is left.
 */
export async function reserveQuota(
  table: string,
  allowance: Allowance,
  times: { readonly now: number; readonly until: number },
): Promise<{ readonly taken: number } | undefined> {
  return reserveOne(supplyOf(table, allowance), allowance.attempt, times);
}

/** Captures that are taken of a capped quota at `now` (milliseconds since 1970), those under way included. */
export async function readUsedQuota(table: string, allowance: Allowance, now: number): Promise<number> {
  return countTaken(supplyOf(table, allowance), now);
}

/** Gives back what was reserved for a capture that is not attempted. Does nothing where nothing is reserved. */
export async function releaseQuota(table: string, allowance: Allowance): Promise<void> {
  if (allowance.isCapped) await releaseOne(supplyOf(table, allowance), allowance.attempt);
}

/** A write that belongs to the log of a capture, and the one in its place when the reservation has expired meanwhile. */
export interface Settlement {
  readonly write: Write;
  readonly otherwise?: Write;
}

/** What the success of a capture changes: it is counted, once. */
export function settleSuccess(table: string, allowance: Allowance): Settlement {
  const supply = supplyOf(table, allowance);
  const { taken, reservation } = reservationAttributes(supply, allowance.attempt);
  const counting = (UpdateExpression: string): Change => ({
    ...reservationItem(supply),
    UpdateExpression,
    ExpressionAttributeValues: { ":one": 1 },
  });
  if (!allowance.isCapped) return { write: { Update: counting(`ADD ${allowance.credit} :one`) } };
  return {
    write: {
      Update: {
        ...counting(`REMOVE ${reservation} ADD ${allowance.credit} :one`),
        ConditionExpression: `attribute_exists(${reservation})`,
      },
    },
    otherwise: { Update: counting(`ADD ${allowance.credit} :one, ${taken} :one`) },
  };
}

/** What the failure of a capture changes: its reservation is released. */
export function settleFailure(table: string, allowance: Allowance): Settlement | undefined {
  return allowance.isCapped
    ? { write: { Update: releasing(supplyOf(table, allowance), allowance.attempt) } }
    : undefined;
}

function supplyOf(table: string, { accountId, period, quota }: Allowance): Reservable {
  return { table, key: periodKey(accountId, period.start), name: quota.name, limit: quota.limit };
}
