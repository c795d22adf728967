// Numbers that must not pass a limit, in items of the Usage table: each one that is taken is a reservation, which is
// released, or expires because whatever held it was killed.
//
// `taken_<name>` is what the limit is compared with. Each reservation is an attribute of its own, so that one that is
// made or released twice counts once. An item can hold several such numbers.
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "./clients/dynamodb.ts";
import { refusalOf, type Unmet, type Write } from "./transaction.ts";

/** Expired reservations that one write gives back. */
const SWEPT_AT_ONCE = 50;

const RESERVATION = /^r_\w+$/;
const StoredReservation = v.object({ quota: v.string(), until: v.number() });

/** What is taken from. */
export interface Supply {
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
  supply: Supply,
  holder: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<{ readonly taken: number } | undefined> {
  if (supply.limit === 0) return { taken: 0 };
  const { taken, reservation } = attributesOf(supply, holder);
  for (;;) {
    const refused = await change({
      ...itemOf(supply),
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
      ...itemOf(supply),
      UpdateExpression: `REMOVE ${swept.join(", ")} ADD ${taken} :given_back`,
      ConditionExpression: swept.map((name) => `attribute_exists(${name})`).join(" AND "),
      ExpressionAttributeValues: { ":given_back": -swept.length },
    });
  }
}

/** How many are taken at `now` (milliseconds since 1970), reservations that have expired left out. */
export async function countTaken(supply: Supply, now: number): Promise<number> {
  const { Item = {} } = await dynamodb().send(new GetCommand({ ...itemOf(supply), ConsistentRead: true }));
  return Number(Item[takenOf(supply)] ?? 0) - expiredReservations(Item, supply.name, now).length;
}

/** Gives back what is reserved. Does nothing where nothing is. */
export async function releaseOne(supply: Supply, holder: string): Promise<void> {
  await change(releasing(supply, holder));
}

/** The write that gives back what is reserved; its condition is not met where nothing is. */
export function releasing(supply: Supply, holder: string): Change {
  const { taken, reservation } = attributesOf(supply, holder);
  return {
    ...itemOf(supply),
    UpdateExpression: `REMOVE ${reservation} ADD ${taken} :given_back`,
    ConditionExpression: `attribute_exists(${reservation})`,
    ExpressionAttributeValues: { ":given_back": -1 },
  };
}

/** Names of attributes: the number that is taken, and the reservation of a holder. */
export function attributesOf(supply: Pick<Supply, "name">, holder: string) {
  return { taken: takenOf(supply), reservation: `r_${holder}` };
}

export function itemOf({ table, key }: Pick<Supply, "table" | "key">) {
  return { TableName: table, Key: { ...key } };
}

function takenOf({ name }: Pick<Supply, "name">): string {
  return `taken_${name}`;
}

/** Resolves to the item when the condition is not met by it. */
function change(update: Change): Promise<Unmet | undefined> {
  const command = new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
  return refusalOf(() => dynamodb().send(command));
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
