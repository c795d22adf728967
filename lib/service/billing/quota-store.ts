// Quota reservation in the billing period's item of the Usage table: reserve before a capture, settle on success,
// release on failure.
//
// For a hard cap, the used amount is the successes plus the captures in progress, each of which holds a reservation
// that is settled, released, or expires. `screenshots` and `videos` count the successes, which are billed. Without a hard cap
// there is nothing to reserve, and billed-counts.ts counts the successes. The monthly limit of an API key and the daily limit of an
// account are hard caps with an item of their own, and so are the free failures of an account: each is a reservation that was settled.
import { MAX_FAILED_MINUTES_PER_DAY } from "../../contract/plans.ts";
import { getItem, itemUpdate } from "../aws/items.ts";
import {
  countTaken,
  type Reservable,
  type ReservationChange,
  type Reserved,
  releaseOne,
  releaseWrite,
  reservationAttributes,
  reserve,
} from "../aws/reservations.ts";
import { dayLimitKey, failuresKey, keyLimitKey, periodKey, testsKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { billedIncrement, unbilledIncrement } from "./billed-counts.ts";
import { type CaptureLimit, endOfDay, listLimits } from "./capture-limits.ts";
import type { Allowance } from "./quota.ts";

interface ReservationTimes {
  readonly now: number;
  readonly until: number;
}

/**
 * Reserves the captures of `allowances`, which share a quota, until `until` (milliseconds since 1970): all of them, or none if the quota
 * has less, or if the time of failed captures on the UTC day of `now` is used up (`isAtBound`). Idempotent for the same reservation
 * ids. Resolves to the used amount: with these captures if they are reserved, and then possibly with expired reservations of others.
 */
export async function reserveInPeriod(
  table: string,
  allowances: readonly Allowance[],
  times: ReservationTimes,
): Promise<Reserved> {
  const bound = { attribute: failedTimeAttribute(times.now), maximum: MAX_FAILED_MINUTES_PER_DAY * 60_000 };
  return reserve({ ...quotaCounter(table, requireFirst(allowances)), bound }, reservationIds(allowances), times);
}

/**
 * Reserves captures of a limit that all `allowances` have, as `reserveInPeriod` does of the quota. The used amount includes what an API
 * key captured in the period before it had a limit.
 */
export async function reserveInLimit(
  table: string,
  allowances: readonly Allowance[],
  { limit, ...times }: ReservationTimes & { readonly limit: CaptureLimit },
): Promise<Reserved> {
  const counter = limitCounter(table, requireFirst(allowances), limit);
  const { taken, isReserved } = await reserve(counter, reservationIds(allowances), times);
  return { taken: taken + uncounted(limit), isReserved };
}

/** Returns how much of a capped quota is used at `now` (milliseconds since 1970), including captures in progress. */
export async function readUsedQuota(table: string, allowance: Allowance, now: number): Promise<number> {
  return countTaken(quotaCounter(table, allowance), now);
}

/**
 * Reserves a free failure for each capture, as `reserveInPeriod` does of the quota. The limit is a lower bound of what the account may
 * have: a later one may be higher.
 */
export async function reserveFailure(
  table: string,
  allowances: readonly Allowance[],
  { limit, ...times }: ReservationTimes & { readonly limit: number },
): Promise<Reserved> {
  return reserve({ ...failureCounter(table, requireFirst(allowances)), limit }, reservationIds(allowances), times);
}

/** The first of several allowances, which share the counter in which they are reserved. */
function requireFirst<Shared extends Allowance>([first]: readonly Shared[]): Shared {
  if (!first) throw new Error("There is no capture to reserve.");
  return first;
}

function reservationIds(allowances: readonly Allowance[]): readonly string[] {
  return allowances.map(({ attempt }) => attempt);
}

/** Releases the free failure of a capture whose cancellation did not come about. Does nothing without a reservation. */
export async function releaseFailure(table: string, allowance: Allowance): Promise<void> {
  await releaseOne(failureCounter(table, allowance), allowance.attempt);
}

/** Returns how many free failures are used in the period of an allowance at `now` (milliseconds since 1970). */
export async function readUsedFailures(
  table: string,
  period: Pick<Allowance, "accountId" | "period">,
  now: number,
): Promise<number> {
  return countTaken(failureCounter(table, period), now);
}

/** Releases the reservations of a capture that is not made. Does nothing without a reservation. */
export async function releaseQuota(table: string, allowance: Allowance): Promise<void> {
  const reserved = [
    ...counters(table, allowance),
    ...(allowance.reservesFailure ? [failureCounter(table, allowance)] : []),
  ];
  await Promise.all(reserved.map((counter) => releaseOne(counter, allowance.attempt)));
}

/** How the transaction of a capture's log accounts for its quota. */
export interface Settlement {
  /** An item of it, and its replacement when the reservation has expired meanwhile. */
  readonly items: readonly { readonly write: Write; readonly otherwise?: Write }[];
  /** Increments of the month's item that invoices read. */
  readonly billedIncrements: Readonly<Record<string, number>>;
  /** Increments of the month's item that no invoice reads. */
  readonly unbilledIncrements: Readonly<Record<string, number>>;
}

/** Counts a successful capture, once, and settles its reservations. */
export function settleSuccess(table: string, allowance: Allowance): Settlement {
  const { attempt: reservationId, credit, period, quota, isCapped } = allowance;
  const isTest = quota.name === "tests";
  return {
    items: [
      ...counters(table, allowance).map((counter) => settleItem(counter, { attempt: reservationId, credit })),
      ...failureItems(table, allowance, { isFreeFailure: false }),
    ],
    billedIncrements: isCapped ? {} : billedIncrement(credit, period),
    unbilledIncrements: isCapped && !isTest ? unbilledIncrement(credit, period) : {},
  };
}

function settleItem(
  counter: Reservable,
  { attempt: reservationId, credit }: Pick<Allowance, "attempt" | "credit">,
): Settlement["items"][number] {
  const { taken, reservation } = reservationAttributes(counter, reservationId);
  const { table, key } = counter;
  const values = { ":one": 1 };
  const settle = itemUpdate(table, key, {
    update: `REMOVE ${reservation} ADD ${credit} :one`, // of tests and keys too, in items that no invoice reads
    condition: `attribute_exists(${reservation})`,
    values,
  });
  const otherwise = { Update: itemUpdate(table, key, { update: `ADD ${credit} :one, ${taken} :one`, values }) };
  return { write: { Update: settle }, otherwise };
}

/** A failure that is not the service's fault. */
export interface CountedFailure {
  /** How long the capture took, and when that ended in milliseconds since 1970. */
  readonly milliseconds: number;
  readonly endedAt: number;
  /** True if it is one of the account's free failures. */
  readonly isFreeFailure: boolean;
}

/**
 * Releases the reservations of a capture that is free: of a cached result, or a failed one. The time of a failed one is counted where
 * the quota is a hard cap.
 */
export function settleFree(table: string, allowance: Allowance, failed?: CountedFailure): Settlement {
  const { attempt: reservationId, isCapped } = allowance;
  const items = counters(table, allowance).map((counter, index) => {
    const release = releaseWrite(counter, reservationId);
    const isOfQuota = isCapped && index === 0;
    return { write: { Update: failed && isOfQuota ? withFailedTime(release, failed) : release } };
  });
  const failures = failureItems(table, allowance, { isFreeFailure: failed?.isFreeFailure ?? false });
  return { items: [...items, ...failures], billedIncrements: {}, unbilledIncrements: {} };
}

/** Counts a free failure, with or without its reservation, or releases the reservation of a capture that ended otherwise. */
function failureItems(
  table: string,
  allowance: Allowance,
  { isFreeFailure }: Pick<CountedFailure, "isFreeFailure">,
): Settlement["items"] {
  const { attempt: reservationId, reservesFailure = false } = allowance;
  const counter = failureCounter(table, allowance);
  if (!isFreeFailure) return reservesFailure ? [{ write: { Update: releaseWrite(counter, reservationId) } }] : [];
  const { taken, reservation } = reservationAttributes(counter, reservationId);
  const settle = itemUpdate(counter.table, counter.key, {
    update: `REMOVE ${reservation}`,
    condition: `attribute_exists(${reservation})`,
  });
  const count = itemUpdate(counter.table, counter.key, {
    update: `SET #ttl = if_not_exists(#ttl, :ttl) ADD ${taken} :one`,
    values: { ":one": 1, ":ttl": counter.expiry },
  });
  return [{ write: { Update: settle }, otherwise: { Update: count } }];
}

function withFailedTime(
  release: ReservationChange,
  { milliseconds, endedAt }: Pick<CountedFailure, "milliseconds" | "endedAt">,
): ReservationChange {
  return {
    ...release,
    UpdateExpression: `${release.UpdateExpression}, ${failedTimeAttribute(endedAt)} :failed`, // further numbers of its ADD
    ExpressionAttributeValues: { ...release.ExpressionAttributeValues, ":failed": milliseconds },
  };
}

/** The attribute of a counter with the milliseconds that failed captures took on the UTC day of `time` (milliseconds since 1970). */
function failedTimeAttribute(time: number): string {
  return `failed_ms_${new Date(time).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Returns how many captures of a period the counter of a key has, which count only while the key has a limit. */
export async function readKeyCounter(
  table: string,
  { accountId, keyId, start }: { readonly accountId: number; readonly keyId: number; readonly start: string },
): Promise<number> {
  const item = (await getItem(table, keyLimitKey(accountId, start, keyId))) ?? {};
  return Number(item["screenshots"] ?? 0) + Number(item["videos"] ?? 0);
}

/** A job can end a day after it was queued. */
const COUNTER_RETENTION_S = 7 * 24 * 60 * 60;

/** The counters in which a capture needs a reservation: of the account, if its quota is capped, and of each limit that applies. */
function counters(table: string, allowance: Allowance): Reservable[] {
  return [
    ...(allowance.isCapped ? [quotaCounter(table, allowance)] : []),
    ...listLimits(allowance).map((limit) => limitCounter(table, allowance, limit)),
  ];
}

function quotaCounter(table: string, { accountId, period, quota }: Allowance): Reservable {
  const { name, limit } = quota;
  if (name !== "tests") return { table, key: periodKey(accountId, period.start), name, limit };
  return { table, key: testsKey(accountId, period.start.slice(0, 10)), name, limit, expiry: expiryOf(period) };
}

function limitCounter(table: string, { accountId, period }: Allowance, limit: CaptureLimit): Reservable {
  const counter = { table, name: "captures", limit: Math.max(0, limit.captures - uncounted(limit)) };
  if (limit.of === "day") {
    const { date } = limit;
    return { ...counter, key: dayLimitKey(accountId, date), expiry: expiryOf({ end: endOfDay(date) }) };
  }
  return { ...counter, key: keyLimitKey(accountId, period.start, limit.keyId), expiry: expiryOf(period) };
}

/** Captures that count against a limit and that its counter lacks. */
function uncounted(limit: CaptureLimit): number {
  return limit.of === "key" ? limit.earlier : 0;
}

function failureCounter(table: string, { accountId, period }: Pick<Allowance, "accountId" | "period">) {
  const key = failuresKey(accountId, period.start);
  return { table, key, name: "failures", limit: 0, expiry: expiryOf(period) } satisfies Reservable;
}

/** In seconds since 1970. */
function expiryOf({ end }: Pick<Allowance["period"], "end">): number {
  return Math.ceil(Date.parse(end) / 1000) + COUNTER_RETENTION_S;
}
