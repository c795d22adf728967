// Billing periods: months from the day an account is billed from, and before them the days of its trial.

import type { Account } from "../accounts/account.ts";
import { plans } from "./plans.ts";

/** From `start` up to, not including, `end`; both are timestamps in UTC. */
export interface BillingPeriod {
  readonly start: string;
  readonly end: string;
  /** Months that were billed before it, or undefined for the trial. */
  readonly month: number | undefined;
}

/** True for the period of a trial, which is not billed. */
export function isTrial({ month }: BillingPeriod): boolean {
  return month === undefined;
}

type Dated = Pick<Account, "created_at" | "billed_from">;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The period that `time` (milliseconds since 1970) falls in. The trial never ends in this sense: `end` may be past. */
export function periodAt(account: Dated, time: number): BillingPeriod {
  const { billed_from } = account;
  if (billed_from === null || time < Date.parse(billed_from)) return trialOf(account);
  const start = new Date(billed_from);
  const at = new Date(time);
  const calendarMonths = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  // The calendar month may have begun before the day of the month on which the period does.
  return Date.parse(addMonths(billed_from, calendarMonths)) <= time
    ? monthOf(billed_from, calendarMonths)
    : monthOf(billed_from, calendarMonths - 1);
}

/** All periods of an account up to the one at `time`, oldest first. */
export function periodsUntil(account: Dated, time: number): BillingPeriod[] {
  const { billed_from, created_at } = account;
  const trial = billed_from === null || created_at < billed_from ? [trialOf(account)] : [];
  if (billed_from === null) return trial;
  const { month: last = -1 } = periodAt(account, time);
  return [...trial, ...Array.from({ length: last + 1 }, (_, month) => monthOf(billed_from, month))];
}

function monthOf(from: string, month: number): BillingPeriod {
  return { start: addMonths(from, month), end: addMonths(from, month + 1), month };
}

/** A trial ends early when a paid plan takes its place. */
function trialOf({ created_at, billed_from }: Dated): BillingPeriod {
  const days = plans.free.trialDays ?? 0;
  const end = new Date(Date.parse(created_at) + days * DAY_MS).toISOString();
  return { start: created_at, end: billed_from !== null && billed_from < end ? billed_from : end, month: undefined };
}

/**
 * The same day and time some months later, or the last day of a month that is too short. Counted from the first start,
 * so that a period which begins on the 31st does so again after February.
 */
function addMonths(timestamp: string, months: number): string {
  const from = new Date(timestamp);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = new Date(from);
  date.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return date.toISOString();
}
