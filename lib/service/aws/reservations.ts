// Reservations (a counting semaphore) in items of the Usage table: each reservation counts towards a limit until it is
// released, or until it expires because its holder was killed.
//
// `taken_<name>` is compared with the limit. Each reservation is an attribute of its own, so that making or releasing it twice
// counts once. An item can have several such counters.
import * as v from "valibot";
import { getItem, type ItemChange, itemUpdate, sendUpdate, type UpdatedItem } from "./items.ts";
import type { Write } from "./transaction.ts";

/** Maximum of expired reservations that one write removes. */
const MAX_EXPIRED_PER_WRITE = 50;

const RESERVATION = /^r_\w+$/;
const StoredReservation = v.object({ quota: v.string(), until: v.number() });

/** A counter with a limit. */
export interface Reservable {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  /** Name of the counter in the item: letters only. */
  readonly name: string;
  readonly limit: number;
  /** When the item expires, in seconds since 1970. @default never */
  readonly expiry?: number;
  /** A number in the item that has to be below a maximum for a reservation. @default none */
  readonly bound?: { readonly attribute: string; readonly maximum: number };
}

/** The outcome of a reservation. */
export interface Reserved {
  /** Number of reservations that count towards the limit, those of settled holders too. */
  readonly taken: number;
  /** False when the limit or the bound is reached. */
  readonly isReserved: boolean;
  /** True when the bound is reached. */
  readonly isAtBound?: boolean;
  /** How many of those that count towards a limit that is reached are reservations whose holders are not settled. */
  readonly inProgress?: number;
}

/** An update of the item. */
export type ReservationChange = NonNullable<Write["Update"]>;

/**
 * Makes a reservation for each holder (letters and digits) until `until` (milliseconds since 1970): for all of them, or for none.
 * Idempotent for the same holders. Resolves to the number of reservations, with these if they are made; 0 for a limit below the number
 * of holders, which is refused without a request. One write, and more only when expired reservations count towards the limit.
 */
export async function reserve(
  counter: Reservable,
  holders: readonly string[],
  { now, until }: { readonly now: number; readonly until: number },
): Promise<Reserved> {
  const count = holders.length;
  if (counter.limit < count) return { taken: 0, isReserved: false };
  const taken = takenAttribute(counter);
  const reservations = holders.map(reservationAttribute);
  const { bound } = counter;
  const orMissing = (attribute: string, condition: string) =>
    `(attribute_not_exists(${attribute}) OR ${attribute} ${condition})`;
  const conditions = [
    ...reservations.map((reservation) => `attribute_not_exists(${reservation})`),
    orMissing(taken, "<= :max_taken"),
    ...(bound ? [orMissing(bound.attribute, "< :maximum")] : []),
  ];
  const values = [
    ...reservations.map((reservation) => `${reservation} = :reservation`),
    ...(counter.expiry === undefined ? [] : ["#ttl = :ttl"]),
  ];
  for (;;) {
    const { isChanged, item = {} } = await change(counter, {
      update: `SET ${values.join(", ")} ADD ${taken} :count`,
      condition: conditions.join(" AND "),
      values: {
        ":reservation": { quota: counter.name, until },
        ":count": count,
        ":max_taken": counter.limit - count,
        ":maximum": bound?.maximum,
        ":ttl": counter.expiry,
      },
    });
    // The SDK may retry a write that has succeeded: finding our own holders in the item means success.
    if (isChanged || reservations.every((reservation) => reservation in item))
      return { taken: Number(item[taken] ?? count), isReserved: true };
    const isAtBound = bound !== undefined && Number(item[bound.attribute] ?? 0) >= bound.maximum;
    if (isAtBound) return { taken: Number(item[taken] ?? 0), isReserved: false, isAtBound };
    const expired = expiredReservations(item, counter.name, now);
    if (expired.length === 0)
      return {
        taken: Number(item[taken]),
        isReserved: false,
        inProgress: storedReservations(item, counter.name).length,
      };
    const removed = expired.slice(0, MAX_EXPIRED_PER_WRITE);
    // If the condition fails, another process has just removed them.
    await change(counter, {
      update: `REMOVE ${removed.join(", ")} ADD ${taken} :released`,
      condition: removed.map((name) => `attribute_exists(${name})`).join(" AND "),
      values: { ":released": -removed.length },
    });
  }
}

/** Number of reservations at `now` (milliseconds since 1970), without expired ones. */
export async function countTaken(counter: Reservable, now: number): Promise<number> {
  const item = (await getItem(counter.table, counter.key)) ?? {};
  return Number(item[takenAttribute(counter)] ?? 0) - expiredReservations(item, counter.name, now).length;
}

/** Releases a reservation. Does nothing when there is none. */
export async function releaseOne(counter: Reservable, holder: string): Promise<void> {
  await sendUpdate(releaseWrite(counter, holder), "NONE");
}

/** The write that releases a reservation. Its condition fails when there is none. */
export function releaseWrite(counter: Reservable, holder: string): ReservationChange {
  const { taken, reservation } = reservationAttributes(counter, holder);
  return itemUpdate(counter.table, counter.key, {
    update: `REMOVE ${reservation} ADD ${taken} :released`,
    condition: `attribute_exists(${reservation})`,
    values: { ":released": -1 },
  });
}

/** Names of the attributes of the counter and of a reservation. */
export function reservationAttributes(counter: Pick<Reservable, "name">, holder: string) {
  return { taken: takenAttribute(counter), reservation: reservationAttribute(holder) };
}

function reservationAttribute(holder: string): string {
  return `r_${holder}`;
}

function takenAttribute({ name }: Pick<Reservable, "name">): string {
  return `taken_${name}`;
}

/** Resolves to what has changed of the item, or to all of the item that failed the condition. */
function change({ table, key }: Pick<Reservable, "table" | "key">, changed: ItemChange): Promise<UpdatedItem> {
  return sendUpdate(itemUpdate(table, key, changed), "UPDATED_NEW");
}

function expiredReservations(item: Readonly<Record<string, unknown>>, name: string, now: number): string[] {
  return storedReservations(item, name).flatMap(({ attribute, until }) => (until <= now ? [attribute] : []));
}

function storedReservations(item: Readonly<Record<string, unknown>>, name: string) {
  return Object.entries(item).flatMap(([attribute, value]) => {
    if (!RESERVATION.test(attribute)) return [];
    const { quota, until } = v.parse(StoredReservation, value);
    return quota === name ? [{ attribute, until }] : [];
  });
}
