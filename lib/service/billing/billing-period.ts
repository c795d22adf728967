// Billing periods: the trial, then months counted from the day on which the account took a paid plan, until that plan was cancelled.
import { plans } from "../../contract/plans.ts";

/** A half-open interval: `start` is included, `end` is not; both are timestamps in UTC. */
export interface BillingPeriod {
  readonly start: string;
  readonly end: string;
  /** Number of billed months of the account before this one; undefined for the trial, and for the time after a plan. */
  readonly month: number | undefined;
  /** True for the time after a plan that was cancelled. Such a period has no length, and goes on until the account takes a plan. */
  readonly isAfterPlan?: true;
}

/** True for a period that is not billed: the trial, and the time after a plan that was cancelled. */
export function isUnbilled({ month }: BillingPeriod): boolean {
  return month === undefined;
}

/** Times in which an account had a paid plan. */
export type Subscriptions = readonly { readonly from: string; readonly until: string }[];

/** Timestamps of an account that decide its periods. `billed_from` is null while it has no paid plan. */
export interface BillingDates {
  readonly created_at: string;
  readonly billed_from: string | null;
  /** False for an account that has had no trial: that period is over when it begins. */
  readonly has_trial?: false;
  /** Those that have ended, oldest first. Each ended with a month. */
  readonly past_subscriptions?: Subscriptions;
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
 * period, or in that after its last plan, even after its `end`.
 */
export function periodAt(account: BillingDates, time: number): BillingPeriod {
  const latest = listSubscriptions(account).findLast(({ from }) => Date.parse(from) <= time);
  if (!latest) return trialPeriod(account);
  const { from, until, earlierMonths } = latest;
  if (until !== undefined && Date.parse(until) <= time)
    return { start: until, end: until, month: undefined, isAfterPlan: true };
  return monthPeriod(from, monthsBetween(from, time), earlierMonths);
}

/** True for a period without any captures: that of an account that has had no trial, and the time after a plan. */
export function isWithoutPlan(period: BillingPeriod): boolean {
  return isUnbilled(period) && period.start === period.end;
}

/**
 * Returns all periods of an account up to the one at `time` (milliseconds since 1970), oldest first. The time after a plan has
 * nothing to bill, and isn't among them.
 */
export function periodsUntil(account: BillingDates, time: number): BillingPeriod[] {
  const { created_at, has_trial } = account;
  const subscriptions = listSubscriptions(account).filter(({ from }) => Date.parse(from) <= time);
  const [first] = subscriptions;
  const trial = !first || (created_at < first.from && has_trial !== false) ? [trialPeriod(account)] : [];
  const months = subscriptions.flatMap(({ from, until, earlierMonths }) => {
    const count =
      until === undefined || Date.parse(until) > time
        ? monthsBetween(from, time) + 1
        : monthsBetween(from, Date.parse(until));
    return Array.from({ length: count }, (_, month) => monthPeriod(from, month, earlierMonths));
  });
  return [...trial, ...months];
}

interface Subscription {
  readonly from: string;
  /** Undefined for the present one. */
  readonly until?: string;
  /** How many months of the account were billed before it. */
  readonly earlierMonths: number;
}

function listSubscriptions({ past_subscriptions: past = [], billed_from }: BillingDates): Subscription[] {
  let earlierMonths = 0;
  const ended = past.map(({ from, until }) => {
    const subscription = { from, until, earlierMonths };
    earlierMonths += monthsBetween(from, Date.parse(until));
    return subscription;
  });
  return billed_from === null ? ended : [...ended, { from: billed_from, earlierMonths }];
}

function monthPeriod(from: string, month: number, earlierMonths: number): BillingPeriod {
  return { start: addMonths(from, month), end: addMonths(from, month + 1), month: earlierMonths + month };
}

/** How many months that start at `from` have ended by `time` (milliseconds since 1970). */
function monthsBetween(from: string, time: number): number {
  const start = new Date(from);
  const at = new Date(time);
  const calendarMonths = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  // The calendar month can start before the day of the month on which the period starts.
  return Date.parse(addMonths(from, calendarMonths)) <= time ? calendarMonths : calendarMonths - 1;
}

/** A first paid plan ends the trial early. */
function trialPeriod(account: BillingDates): BillingPeriod {
  const { created_at, has_trial } = account;
  const days = has_trial === false ? 0 : (plans.free.trialDays ?? 0);
  const end = new Date(Date.parse(created_at) + days * DAY_MS).toISOString();
  const [first] = listSubscriptions(account);
  return { start: created_at, end: first && first.from < end ? first.from : end, month: undefined };
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
