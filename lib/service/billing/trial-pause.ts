// The pause of trials: while it lasts, accounts without a paid plan get no new captures. The budget of a stage sets it.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { trialPauseKey } from "../aws/table-keys.ts";
import { transact, type Write } from "../aws/transaction.ts";
import { logError } from "../platform/log.ts";

const PauseSchema = v.object({ until: v.number() });

/** A pause that begins or ends is noticed within this time. */
const REREAD_MS = 60_000;

/** Pauses trials until a time in milliseconds since 1970. `further` items are stored in the same transaction. */
export async function pauseTrials(table: string, until: number, further: readonly Write[] = []): Promise<void> {
  // The time to live removes the item when it means nothing any more.
  const Item = { ...trialPauseKey, until, ttl: Math.ceil(until / 1000) };
  await transact([{ Put: { TableName: table, Item } }, ...further]);
}

/** Resumes trials. `further` items are stored in the same transaction. */
export async function resumeTrials(table: string, further: readonly Write[] = []): Promise<void> {
  await transact([{ Delete: { TableName: table, Key: trialPauseKey } }, ...further]);
}

/** When the pause ends, in milliseconds since 1970; undefined when there is none at `now`. */
export async function readTrialPause(table: string, now: number): Promise<number | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: trialPauseKey }));
  const until = Item && v.parse(PauseSchema, Item).until;
  return until !== undefined && until > now ? until : undefined;
}

let lastRead: { readonly table: string; readonly until: number | undefined; readonly at: number } | undefined;

/** Like `readTrialPause`, but reads at most once a minute. A pause that cannot be read is none. */
export async function findTrialPause(table: string, now: number): Promise<number | undefined> {
  try {
    if (!lastRead || lastRead.table !== table || now - lastRead.at >= REREAD_MS) {
      lastRead = { table, until: await readTrialPause(table, now), at: now };
    }
  } catch (error) {
    logError("pause of trials not read", error);
    return undefined;
  }
  return lastRead.until !== undefined && lastRead.until > now ? lastRead.until : undefined;
}

/** The end of the calendar month of `now` in UTC, by which AWS bills; both in milliseconds since 1970. */
export function endOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
