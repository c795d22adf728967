// Billing periods: the trial, then months counted from the day of the first paid plan.
import { plans } from "../../contract/plans.ts";

/** A half-open interval: `start` is included, `end` is not; both are timestamps in UTC. */
export interface BillingPeriod {
  readonly start: string;
  readonly end: string;
  /** Number of billed months before this one, or undefined for the trial. */
  readonly month: number | undefined;
}

/** True for the trial period, which is not billed. */
export function isTrial({ month }: BillingPeriod): boolean {
  return month === undefined;
}

/** Timestamps of an account that decide its periods. `billed_from` is null during the trial. */
export interface BillingDates {
  readonly created_at: string;
  readonly billed_from: string | null;
  /** False for an account that has had no trial: that period is over when it begins. */
  readonly has_trial?: false;
}

/** Times in which the price of the plan was not due; `until` is null for one that goes on. */
export type BillingStops = readonly { readonly from: string; readonly until: string | null }[];

/** True for a period during all of which billing was stopped. One in which the account was active for a moment is billed. */
export function isBillingStopped({ start, end }: BillingPeriod, stops: BillingStops = []): boolean {
  return stops.some(({ from, until }) => from <= start && (until === null || until >= end));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the period that contains `time` (milliseconds since 1970). An account without a paid plan stays in its trial
 * period, even after its `end`.
 */
export function periodAt(account: BillingDates, time: number): BillingPeriod {
  const { billed_from } = account;
  if (billed_from === null || time < Date.parse(billed_from)) return trialPeriod(account);
  const start = new Date(billed_from);
  const at = new Date(time);
  const calendarMonths = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  // The calendar month can start before the day of the month on which the period starts.
  return Date.parse(addMonths(billed_from, calendarMonths)) <= time
    ? monthPeriod(billed_from, calendarMonths)
    : monthPeriod(billed_from, calendarMonths - 1);
}

/** True for the period of an account that has had no trial. */
export function isWithoutTrial(period: BillingPeriod): boolean {
  return isTrial(period) && period.start === period.end;
}

/** Returns all periods of an account up to the one at `time` (milliseconds since 1970), oldest first. */
export function periodsUntil(account: BillingDates, time: number): BillingPeriod[] {
  const { billed_from, created_at, has_trial } = account;
  const trial = billed_from === null || (created_at < billed_from && has_trial !== false) ? [trialPeriod(account)] : [];
  if (billed_from === null) return trial;
  const { month: last = -1 } = periodAt(account, time);
  return [...trial, ...Array.from({ length: last + 1 }, (_, month) => monthPeriod(billed_from, month))];
}

function monthPeriod(from: string, month: number): BillingPeriod {
  return { start: addMonths(from, month), end: addMonths(from, month + 1), month };
}

/** A first paid plan ends the trial early. */
function trialPeriod({ created_at, billed_from, has_trial }: BillingDates): BillingPeriod {
  const days = has_trial === false ? 0 : (plans.free.trialDays ?? 0);
  const end = new Date(Date.parse(created_at) + days * DAY_MS).toISOString();
  return { start: created_at, end: billed_from !== null && billed_from < end ? billed_from : end, month: undefined };
}

/**
 * Returns the same day and time `months` later, or the last day of a shorter month. Counted from the first start, so
 * that periods that start on the 31st do so again after February.
 */
function addMonths(timestamp: string, months: number): string {
  const from = new Date(timestamp);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = new Date(from);
  date.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return date.toISOString();
}
