// Reads billing periods from the Usage table: their capture counts and, for ended ones, their frozen billing terms.
//
// The captures of a period are in its own item, where a plan has a hard cap, and in the items of the months in which they were
// made (billed-counts.ts).
import * as v from "valibot";
import type { Counts } from "../../contract/plan-cost.ts";
import { type QuotaName, quotaNames } from "../../contract/plans.ts";
import { getItem, getItems, queryItems, updateItem } from "../aws/items.ts";
import { AFTER_ALL, monthsPartition, periodKey, periodsPartition } from "../aws/table-keys.ts";
import { sumBilledCounts, sumByKey } from "./billed-counts.ts";
import { type BillingDates, type BillingPeriod, periodsUntil } from "./billing-period.ts";
import { type BilledPlan, billingTerms, type Terms, TermsSchema } from "./invoice.ts";
import { type Payment, PaymentSchema } from "./payment.ts";
import type { AlertedPercentages, PeriodUse } from "./quota-alerts.ts";

/** Sorts before every timestamp and month. */
const BEFORE_ALL = "0";

const CountsSchema = v.object({ screenshots: v.optional(v.number(), 0), videos: v.optional(v.number(), 0) });
const PeriodSchema = v.object({
  sk: v.string(),
  ...CountsSchema.entries,
  terms: v.optional(TermsSchema),
  payment: v.optional(PaymentSchema),
});

/** Returns the successful captures of a period. */
export async function readCounts(table: string, accountId: number, period: BillingPeriod): Promise<Counts> {
  return (await readPeriodUse(table, accountId, period)).counts;
}

/** Returns the successful captures of a period, and the percentages that its owner was notified of. */
export async function readPeriodUse(
  table: string,
  accountId: number,
  { start }: Pick<BillingPeriod, "start">,
): Promise<PeriodUse> {
  const [item = {}, months] = await Promise.all([
    getItem(table, periodKey(accountId, start)),
    queryMonths(table, accountId, start.slice(0, 7)),
  ]);
  const counts = addCounts(v.parse(CountsSchema, item), sumBilledCounts(months, { start }));
  return { counts, alerted: alertedPercentages(item) };
}

/**
 * Returns the successful captures of a period of each of several accounts, in their order: with one query for each account, and one read of
 * the other items of all of them.
 */
export async function readCountsOfMany(
  table: string,
  accounts: readonly { readonly id: number; readonly period: Pick<BillingPeriod, "start"> }[],
): Promise<Counts[]> {
  const keys = accounts.map(({ id, period }) => periodKey(id, period.start));
  const [items, ...months] = await Promise.all([
    getItems(table, keys),
    ...accounts.map(({ id, period }) => queryMonths(table, id, period.start.slice(0, 7))),
  ]);
  const byPartition = new Map(items.map((item) => [item["pk"], item]));
  return accounts.map(({ id, period }, index) =>
    addCounts(
      v.parse(CountsSchema, byPartition.get(periodsPartition(id)) ?? {}),
      sumBilledCounts(months[index] ?? [], period),
    ),
  );
}

/** Returns the successful captures of a period by API key, without those of keys for tests. */
export async function readKeyCounts(
  table: string,
  accountId: number,
  { start }: Pick<BillingPeriod, "start">,
): Promise<ReadonlyMap<number, number>> {
  return sumByKey(await queryMonths(table, accountId, start.slice(0, 7)), { start });
}

function alertedPercentages(item: Readonly<Record<string, unknown>>): AlertedPercentages {
  return Object.fromEntries(quotaNames.map((name) => [name, Number(item[alertedAttribute(name)] ?? 0)]));
}

/** The attribute of a period that has the highest percentage of a quota that its owner was notified of. */
function alertedAttribute(name: QuotaName): string {
  return `alerted_${name}`;
}

/**
 * Stores that the owner of an account was notified of a percentage of a quota. Resolves to false if that is stored already, for
 * this or a higher percentage.
 */
export async function markAlerted(
  table: string,
  { accountId, start }: { readonly accountId: number; readonly start: string },
  { name, percentage }: { readonly name: QuotaName; readonly percentage: number },
): Promise<boolean> {
  const alerted = `#${alertedAttribute(name)}`;
  const { isChanged } = await updateItem(table, periodKey(accountId, start), {
    update: `SET ${alerted} = :percentage`,
    condition: `attribute_not_exists(${alerted}) OR ${alerted} < :percentage`,
    values: { ":percentage": percentage },
  });
  return isChanged;
}

/** Takes back `markAlerted` after a mail that could not be sent: `before` is the percentage that was stored before. */
export async function unmarkAlerted(
  table: string,
  { accountId, start }: { readonly accountId: number; readonly start: string },
  { name, before }: { readonly name: QuotaName; readonly before: number },
): Promise<void> {
  const unmark = { update: `SET #${alertedAttribute(name)} = :before`, values: { ":before": before } };
  await updateItem(table, periodKey(accountId, start), unmark);
}

function addCounts(a: Counts, b: Counts): Counts {
  return { screenshots: a.screenshots + b.screenshots, videos: a.videos + b.videos };
}

/** A period with its successful captures and its billing terms. */
export interface PeriodRecord {
  readonly period: BillingPeriod;
  readonly counts: Counts;
  readonly terms: Terms;
  readonly payment: Payment | undefined;
}

/**
 * Returns all periods of an account at `now` (milliseconds since 1970), newest first. The terms of an ended period are
 * stored when it is first read, so that a later change of plans does not affect it.
 */
export async function readPeriods(
  table: string,
  account: BillingDates & BilledPlan & { readonly id: number },
  now: number,
): Promise<PeriodRecord[]> {
  const [stored, months] = await Promise.all([queryPeriods(table, account.id), queryMonths(table, account.id)]);
  const records = periodsUntil(account, now).map(async (period) => {
    const { terms, payment, ...counted } = stored.get(period.start) ?? NOTHING_STORED;
    const counts = addCounts(counted, sumBilledCounts(months, period));
    const current = billingTerms(account, period);
    const isFrozen = terms !== undefined || now < Date.parse(period.end);
    const ofPeriod = isFrozen ? (terms ?? current) : await storeTermsOnce(table, account.id, period, current);
    return { period, counts, terms: ofPeriod, payment };
  });
  return (await Promise.all(records)).reverse();
}

type StoredPeriod = Counts & { readonly terms?: Terms | undefined; readonly payment?: Payment | undefined };

const NOTHING_STORED: StoredPeriod = { screenshots: 0, videos: 0 };

/** Stores the terms of a period unless it has some (conditional write). Resolves to the stored terms. */
async function storeTermsOnce(
  table: string,
  accountId: number,
  { start }: BillingPeriod,
  terms: Terms,
): Promise<Terms> {
  const { isChanged, item } = await updateItem(table, periodKey(accountId, start), {
    update: "SET terms = :terms",
    condition: "attribute_not_exists(terms)",
    values: { ":terms": terms },
  });
  return isChanged ? terms : v.parse(TermsSchema, item?.["terms"]);
}

async function queryPeriods(table: string, accountId: number) {
  const items = await queryItems(table, periodsPartition(accountId));
  const periods = items.map((item) => {
    const { sk, ...record } = v.parse(PeriodSchema, item);
    return [sk, record] as const;
  });
  return new Map<string, StoredPeriod>(periods);
}

/** The items that count the captures of an account's months, from the month `first` on. */
function queryMonths(table: string, accountId: number, first = BEFORE_ALL) {
  return queryItems(table, monthsPartition(accountId), { first, last: AFTER_ALL });
}
