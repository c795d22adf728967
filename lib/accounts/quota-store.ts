// Captures counted in the items of billing periods, in the Usage table: reserved, settled by a success or released.
//
// Where the quota is a cap, `taken_<quota>` is what it is compared with: successes and those under way. Each that is
// under way is a reservation, which is settled, released, or expires because whatever held it was killed. `screenshots`
// and `videos` are the successes, which are billed.
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../platform/clients.ts";
import { periodKey } from "../platform/table-keys.ts";
import { despiteConflicts, type Unmet, unmet, type Write } from "../platform/transaction.ts";
import type { Allowance } from "./quota.ts";

/** Expired reservations that one write gives back. */
const SWEPT_AT_ONCE = 50;

const RESERVATION = /^r_\w+$/;
const StoredReservation = v.object({ quota: v.string(), until: v.number() });

/** The part of an update that all of these share. */
type Change = NonNullable<Write["Update"]>;

/**
 * Reserves a capture until `until` (milliseconds since 1970), once however often it is asked for the same attempt.
 * Resolves to what is taken when nothing is left. One write, and more only where the cap is reached by reservations that
 * have expired.
 */
export async function reserve(
  table: string,
  allowance: Allowance,
  { now, until }: { now: number; until: number },
): Promise<{ readonly taken: number } | undefined> {
  const { quota } = allowance;
  if (quota.limit === 0) return { taken: 0 };
  const { taken, reservation } = names(allowance);
  for (;;) {
    const refused = await change({
      ...periodOf(table, allowance),
      UpdateExpression: `SET ${reservation} = :reservation ADD ${taken} :one`,
      ConditionExpression: `attribute_not_exists(${reservation}) AND (attribute_not_exists(${taken}) OR ${taken} < :limit)`,
      ExpressionAttributeValues: { ":reservation": { quota: quota.name, until }, ":one": 1, ":limit": quota.limit },
    });
    if (!refused?.item || reservation in refused.item) return undefined;
    const expired = expiredReservations(refused.item, quota.name, now);
    if (expired.length === 0) return { taken: Number(refused.item[taken]) };
    const swept = expired.slice(0, SWEPT_AT_ONCE);
    // If this is refused, somebody else has just done it.
    await change({
      ...periodOf(table, allowance),
      UpdateExpression: `REMOVE ${swept.join(", ")} ADD ${taken} :given_back`,
      ConditionExpression: swept.map((name) => `attribute_exists(${name})`).join(" AND "),
      ExpressionAttributeValues: { ":given_back": -swept.length },
    });
  }
}

/** Captures that are taken of a capped quota at `now` (milliseconds since 1970), those under way included. */
export async function readTaken(table: string, allowance: Allowance, now: number): Promise<number> {
  const command = new GetCommand({ ...periodOf(table, allowance), ConsistentRead: true });
  const { Item = {} } = await dynamodb().send(command);
  return Number(Item[names(allowance).taken] ?? 0) - expiredReservations(Item, allowance.quota.name, now).length;
}

/** Gives back what was reserved for a capture that is not attempted. Does nothing where nothing is reserved. */
export async function release(table: string, allowance: Allowance): Promise<void> {
  if (allowance.isCapped) await change(releasing(table, allowance));
}

/** A write that belongs to the log of a capture, and the one in its place when the reservation has expired meanwhile. */
export interface Settlement {
  readonly write: Write;
  readonly otherwise?: Write;
}

/** What the success of a capture changes: it is counted, once. */
export function settlementOfSuccess(table: string, allowance: Allowance): Settlement {
  const { taken, reservation } = names(allowance);
  const counting = { ...periodOf(table, allowance), ExpressionAttributeValues: { ":one": 1 } };
  if (!allowance.isCapped)
    return { write: { Update: { ...counting, UpdateExpression: `ADD ${allowance.credit} :one` } } };
  return {
    write: {
      Update: {
        ...counting,
        UpdateExpression: `REMOVE ${reservation} ADD ${allowance.credit} :one`,
        ConditionExpression: `attribute_exists(${reservation})`,
      },
    },
    otherwise: { Update: { ...counting, UpdateExpression: `ADD ${allowance.credit} :one, ${taken} :one` } },
  };
}

/** What the failure of a capture changes: its reservation is released. */
export function settlementOfFailure(table: string, allowance: Allowance): Settlement | undefined {
  return allowance.isCapped ? { write: { Update: releasing(table, allowance) } } : undefined;
}

function releasing(table: string, allowance: Allowance): Change {
  const { taken, reservation } = names(allowance);
  return {
    ...periodOf(table, allowance),
    UpdateExpression: `REMOVE ${reservation} ADD ${taken} :given_back`,
    ConditionExpression: `attribute_exists(${reservation})`,
    ExpressionAttributeValues: { ":given_back": -1 },
  };
}

/** Resolves to the item when the condition is not met by it. */
async function change(update: Change): Promise<Unmet | undefined> {
  const command = new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
  try {
    await despiteConflicts(() => dynamodb().send(command));
    return undefined;
  } catch (error) {
    const refused = unmet(error);
    if (refused) return refused;
    throw error;
  }
}

function expiredReservations(item: Readonly<Record<string, unknown>>, quota: string, now: number): string[] {
  const isExpired = ([name, value]: [string, unknown]) => {
    if (!RESERVATION.test(name)) return false;
    const reservation = v.parse(StoredReservation, value);
    return reservation.quota === quota && reservation.until <= now;
  };
  return Object.entries(item)
    .filter(isExpired)
    .map(([name]) => name);
}

function periodOf(table: string, { accountId, period }: Allowance) {
  return { TableName: table, Key: periodKey(accountId, period.start) };
}

/** Names of attributes. */
function names({ quota, attempt }: Allowance) {
  return { taken: `taken_${quota.name}`, reservation: `r_${attempt}` };
}
