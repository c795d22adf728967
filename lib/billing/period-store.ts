// Reads billing periods from the Usage table: their capture counts and, for ended ones, their frozen billing terms.
import { GetCommand, paginateQuery, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { periodKey, periodsPartition } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
import { type BillingDates, type BillingPeriod, periodsUntil } from "./billing-period.ts";
import { billingTerms, type Counts, type Terms, TermsSchema } from "./invoice.ts";
import type { PlanName } from "./plans.ts";

const CountsSchema = v.object({ screenshots: v.optional(v.number(), 0), videos: v.optional(v.number(), 0) });
const PeriodSchema = v.object({ sk: v.string(), ...CountsSchema.entries, terms: v.optional(TermsSchema) });

/** Returns the successful captures of a period. */
export async function readCounts(table: string, accountId: number, { start }: BillingPeriod): Promise<Counts> {
  const command = new GetCommand({ TableName: table, Key: periodKey(accountId, start), ConsistentRead: true });
  const { Item = {} } = await dynamodb().send(command);
  return v.parse(CountsSchema, Item);
}

/** A period with its successful captures and its billing terms. */
export interface PeriodRecord {
  readonly period: BillingPeriod;
  readonly counts: Counts;
  readonly terms: Terms;
}

/**
 * Returns all periods of an account at `now` (milliseconds since 1970), newest first. The terms of an ended period are
 * stored when it is first read, so that a later change of plans does not affect it.
 */
export async function readPeriods(
  table: string,
  account: BillingDates & { readonly id: number; readonly plan: PlanName },
  now: number,
): Promise<PeriodRecord[]> {
  const stored = await queryPeriods(table, account.id);
  const records = periodsUntil(account, now).map(async (period) => {
    const { terms, ...counts } = stored.get(period.start) ?? { screenshots: 0, videos: 0, terms: undefined };
    const current = billingTerms(account, period);
    if (terms || now < Date.parse(period.end)) return { period, counts, terms: terms ?? current };
    return { period, counts, terms: await storeTermsOnce(table, account.id, period, current) };
  });
  return (await Promise.all(records)).reverse();
}

/** Stores the terms of a period unless it has some (conditional write). Resolves to the stored terms. */
async function storeTermsOnce(
  table: string,
  accountId: number,
  { start }: BillingPeriod,
  terms: Terms,
): Promise<Terms> {
  const command = new UpdateCommand({
    TableName: table,
    Key: periodKey(accountId, start),
    UpdateExpression: "SET terms = :terms",
    ConditionExpression: "attribute_not_exists(terms)",
    ExpressionAttributeValues: { ":terms": terms },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const failed = await cancellationReason(() => dynamodb().send(command));
  return failed ? v.parse(TermsSchema, failed.item?.["terms"]) : terms;
}

async function queryPeriods(table: string, accountId: number) {
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": periodsPartition(accountId) },
      ConsistentRead: true,
    },
  );
  const periods = new Map<string, Counts & { readonly terms?: Terms | undefined }>();
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const { sk, ...record } = v.parse(PeriodSchema, item);
      periods.set(sk, record);
    }
  }
  return periods;
}
