// Numbers that must not pass a limit, in items of the Usage table: each one that is taken is a reservation, which is
// released, or expires because whatever held it was killed.
//
// `taken_<name>` is what the limit is compared with. Each reservation is an attribute of its own, so that one that is
// made or released twice counts once. An item can hold several such numbers.
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "./clients/dynamodb.ts";
import { type ConditionFailedError, cancellationReason, type Write } from "./transaction.ts";

/** Expired reservations that one write gives back. */
const SWEPT_AT_ONCE = 50;

const RESERVATION = /^r_\w+$/;
const StoredReservation = v.object({ quota: v.string(), until: v.number() });

/** What is taken from. */
export interface Reservable {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  /** Which of the item's numbers; a word of letters. */
  readonly name: string;
  readonly limit: number;
}

/** The part of an update that all of these share. */
export type Change = NonNullable<Write["Update"]>;

/**
 * Reserves one until `until` (milliseconds since 1970), once however often it is asked for the same holder, which is a
 * word of letters and digits. Resolves to what is taken when nothing is left. One write, and more only where the limit is
 * reached by reservations that have expired.
 */
export async function reserveOne(
  supply: Reservable,
  holder: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<{ readonly taken: number } | undefined> {
  if (supply.limit === 0) return { taken: 0 };
  const { taken, reservation } = reservationAttributes(supply, holder);
  for (;;) {
    const refused = await change({
      ...reservationItem(supply),
      UpdateExpression: `SET ${reservation} = :reservation ADD ${taken} :one`,
      ConditionExpression: `attribute_not_exists(${reservation}) AND (attribute_not_exists(${taken}) OR ${taken} < :limit)`,
      ExpressionAttributeValues: { ":reservation": { quota: supply.name, until }, ":one": 1, ":limit": supply.limit },
    });
    if (!refused?.item || reservation in refused.item) return undefined;
    const expired = expiredReservations(refused.item, supply.name, now);
    if (expired.length === 0) return { taken: Number(refused.item[taken]) };
    const swept = expired.slice(0, SWEPT_AT_ONCE);
    // If this is refused, somebody else has just done it.
    await change({
      ...reservationItem(supply),
      UpdateExpression: `REMOVE ${swept.join(", ")} ADD ${taken} :given_back`,
      ConditionExpression: swept.map((name) => `attribute_exists(${name})`).join(" AND "),
      ExpressionAttributeValues: { ":given_back": -swept.length },
    });
  }
}

/** How many are taken at `now` (milliseconds since 1970), reservations that have expired left out. */
export async function countTaken(supply: Reservable, now: number): Promise<number> {
  const { Item = {} } = await dynamodb().send(new GetCommand({ ...reservationItem(supply), ConsistentRead: true }));
  return Number(Item[takenOf(supply)] ?? 0) - expiredReservations(Item, supply.name, now).length;
}

/** Gives back what is reserved. Does nothing where nothing is. */
export async function releaseOne(supply: Reservable, holder: string): Promise<void> {
  await change(releasing(supply, holder));
}

/** The write that gives back what is reserved; its condition is not met where nothing is. */
export function releasing(supply: Reservable, holder: string): Change {
  const { taken, reservation } = reservationAttributes(supply, holder);
  return {
    ...reservationItem(supply),
    UpdateExpression: `REMOVE ${reservation} ADD ${taken} :given_back`,
    ConditionExpression: `attribute_exists(${reservation})`,
    ExpressionAttributeValues: { ":given_back": -1 },
  };
}

/** Names of attributes: the number that is taken, and the reservation of a holder. */
export function reservationAttributes(supply: Pick<Reservable, "name">, holder: string) {
  return { taken: takenOf(supply), reservation: `r_${holder}` };
}

export function reservationItem({ table, key }: Pick<Reservable, "table" | "key">) {
  return { TableName: table, Key: { ...key } };
}

function takenOf({ name }: Pick<Reservable, "name">): string {
  return `taken_${name}`;
}

/** Resolves to the item when the condition is not met by it. */
function change(update: Change): Promise<ConditionFailedError | undefined> {
  const command = new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
  return cancellationReason(() => dynamodb().send(command));
}

function expiredReservations(item: Readonly<Record<string, unknown>>, name: string, now: number): string[] {
  const isExpired = ([attribute, value]: [string, unknown]) => {
    if (!RESERVATION.test(attribute)) return false;
    const reservation = v.parse(StoredReservation, value);
    return reservation.quota === name && reservation.until <= now;
  };
  return Object.entries(item)
    .filter(isExpired)
    .map(([attribute]) => attribute);
}
