// Billing periods: months of different lengths, and the trial before them.
import { describe, expect, test } from "vitest";
import {
  type BillingPeriod,
  isWithoutPlan,
  periodAt,
  periodsUntil,
} from "../../../lib/service/billing/billing-period.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const timestamp = (time: number) => new Date(time).toISOString();
const paidFrom = (billed_from: string) => ({ created_at: billed_from, billed_from });
const timesOf = ({ start, end }: BillingPeriod) => [start, end];

/** Starts of the months up to the one at `until`. */
const startsOf = (billed_from: string, until: string) =>
  periodsUntil(paidFrom(billed_from), Date.parse(until)).map(({ start }) => start);

describe("billing period: months of an account billed from", () => {
  test.each([
    [
      "the 1st",
      "2026-01-01T00:00:00.000Z",
      ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"],
      "2026-04-30T23:59:59.999Z",
    ],
    [
      "the 28th",
      "2026-01-28T00:00:00.000Z",
      ["2026-01-28", "2026-02-28", "2026-03-28", "2026-04-28"],
      "2026-05-27T23:59:59.999Z",
    ],
    [
      "the 29th",
      "2026-01-29T00:00:00.000Z",
      ["2026-01-29", "2026-02-28", "2026-03-29", "2026-04-29"],
      "2026-05-28T23:59:59.999Z",
    ],
    [
      "the 30th",
      "2026-01-30T00:00:00.000Z",
      ["2026-01-30", "2026-02-28", "2026-03-30", "2026-04-30"],
      "2026-05-29T23:59:59.999Z",
    ],
    [
      "the 31st",
      "2026-01-31T00:00:00.000Z",
      ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
      "2026-06-29T23:59:59.999Z",
    ],
    [
      "the 31st in a leap year",
      "2024-01-31T00:00:00.000Z",
      ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"],
      "2024-05-30T23:59:59.999Z",
    ],
    [
      "the last day of the year",
      "2026-12-31T00:00:00.000Z",
      ["2026-12-31", "2027-01-31", "2027-02-28"],
      "2027-03-30T23:59:59.999Z",
    ],
  ])("%s start on that day, or on the last day of a shorter month", (_, billedFrom, days, until) => {
    expect(startsOf(billedFrom, until)).toEqual(days.map((day) => `${day}T00:00:00.000Z`));
    expect(startsOf(billedFrom, timestamp(Date.parse(until) + 1))).toHaveLength(days.length + 1);
  });

  test("a leap day start on it every four years, and on February 28 between", () => {
    const starts = startsOf("2024-02-29T08:00:00.000Z", "2028-03-01T00:00:00.000Z");
    expect(starts.filter((start) => start.slice(5, 7) === "02")).toEqual([
      "2024-02-29T08:00:00.000Z",
      "2025-02-28T08:00:00.000Z",
      "2026-02-28T08:00:00.000Z",
      "2027-02-28T08:00:00.000Z",
      "2028-02-29T08:00:00.000Z",
    ]);
  });

  test("a time of day start at it, to the millisecond", () => {
    const account = paidFrom("2026-01-31T13:37:56.789Z");
    const turn = Date.parse("2026-02-28T13:37:56.789Z");
    expect(periodAt(account, turn - 1)).toEqual({
      start: "2026-01-31T13:37:56.789Z",
      end: "2026-02-28T13:37:56.789Z",
      month: 0,
    });
    expect(periodAt(account, turn)).toEqual({
      start: "2026-02-28T13:37:56.789Z",
      end: "2026-03-31T13:37:56.789Z",
      month: 1,
    });
  });

  test("a date years ago are still found", () => {
    expect(periodAt(paidFrom("2026-01-31T00:00:00.000Z"), Date.UTC(2046, 1, 28))).toEqual({
      start: "2046-02-28T00:00:00.000Z",
      end: "2046-03-31T00:00:00.000Z",
      month: 241,
    });
  });
});

describe("billing period: a trial", () => {
  const created_at = "2026-02-25T10:00:00.000Z";
  const trial = { start: created_at, end: "2026-03-04T10:00:00.000Z", month: undefined };
  const onTrial = { created_at, billed_from: null };

  test.each([
    ["as it begins", created_at],
    ["in its last millisecond", "2026-03-04T09:59:59.999Z"],
    ["as it ends", "2026-03-04T10:00:00.000Z"],
    ["a year after", "2027-03-04T10:00:00.000Z"],
  ])("is the only period of its account, %s", (_, time) => {
    expect(periodAt(onTrial, Date.parse(time))).toEqual(trial);
    expect(periodsUntil(onTrial, Date.parse(time))).toEqual([trial]);
  });

  test("is cut short by a paid plan, whose first month starts there", () => {
    const upgraded = { created_at, billed_from: "2026-02-27T23:00:00.001Z" };
    const cut = { ...trial, end: "2026-02-27T23:00:00.001Z" };
    const month = { start: "2026-02-27T23:00:00.001Z", end: "2026-03-27T23:00:00.001Z", month: 0 };
    expect(periodAt(upgraded, Date.parse("2026-02-27T23:00:00.000Z"))).toEqual(cut);
    expect(periodAt(upgraded, Date.parse("2026-02-27T23:00:00.001Z"))).toEqual(month);
    expect(periodsUntil(upgraded, Date.parse("2026-03-01T00:00:00.000Z"))).toEqual([cut, month]);
  });

  test("that ended before the paid plan keeps its seven days", () => {
    const upgraded = { created_at, billed_from: "2026-06-01T00:00:00.000Z" };
    expect(periodsUntil(upgraded, Date.UTC(2026, 5, 2)).map(timesOf)).toEqual([
      [trial.start, trial.end],
      ["2026-06-01T00:00:00.000Z", "2026-07-01T00:00:00.000Z"],
    ]);
    expect(periodAt(upgraded, Date.UTC(2026, 4, 1))).toEqual(trial);
  });

  test("does not exist for an account that paid from the start", () => {
    expect(periodsUntil(paidFrom(created_at), Date.parse(created_at)).map(({ month }) => month)).toEqual([0]);
  });

  test("that the account has none of is over when it begins, and is no period next to billed months", () => {
    const without = { ...onTrial, has_trial: false as const };
    const period = periodAt(without, Date.parse(created_at) + DAY_MS);
    expect(timesOf(period)).toEqual([created_at, created_at]);
    expect([isWithoutPlan(period), isWithoutPlan(trial)]).toEqual([true, false]);
    const billed_from = timestamp(Date.parse(created_at) + 2 * DAY_MS);
    const periods = periodsUntil({ ...without, billed_from }, Date.parse(billed_from));
    expect(periods.map(({ start, month }) => [start, month])).toEqual([[billed_from, 0]]);
  });
});

describe("billing period: for random accounts and times", () => {
  const random = seededRandom(7);
  const between = (from: number, to: number) => Math.floor(from + random() * (to - from));
  const ends = [Date.UTC(2024, 1, 29), Date.UTC(2026, 0, 31), Date.UTC(2025, 11, 30, 23, 59, 59, 999)];
  const accounts = Array.from({ length: 400 }, (_, index) => {
    const created = ends[index] ?? between(Date.UTC(2023, 0, 1), Date.UTC(2027, 0, 1));
    const billed = [created, created + between(1, 7 * DAY_MS), created + between(7 * DAY_MS, 90 * DAY_MS)][index % 3];
    return { created_at: timestamp(created), billed_from: timestamp(billed ?? created) };
  });
  const cases = accounts.map((account) => ({
    account,
    time: between(Date.parse(account.billed_from), Date.parse(account.billed_from) + 1_500 * DAY_MS),
  }));

  test("a period contains the time it was looked up by", () => {
    const outside = cases.filter(({ account, time }) => {
      const { start, end } = periodAt(account, time);
      return time < Date.parse(start) || time >= Date.parse(end);
    });
    expect(outside).toEqual([]);
  });

  test("the period of a time is the last of the periods until then", () => {
    for (const { account, time } of cases) expect(periodsUntil(account, time).at(-1)).toEqual(periodAt(account, time));
  });

  test("months are contiguous and numbered", () => {
    for (const { account, time } of cases) {
      const months = periodsUntil(account, time).filter(({ month }) => month !== undefined);
      expect(months[0]?.start).toBe(account.billed_from);
      expect(months.slice(1).map(({ start }) => start)).toEqual(months.slice(0, -1).map(({ end }) => end));
      expect(months.map(({ month }) => month)).toEqual(months.map((_, index) => index));
    }
  });

  test("each period of a list is found by its first and by its last millisecond", () => {
    for (const { account, time } of cases.slice(0, 60)) {
      for (const period of periodsUntil(account, time)) {
        expect(periodAt(account, Date.parse(period.start))).toEqual(period);
        expect(periodAt(account, Date.parse(period.end) - 1)).toEqual(period);
      }
    }
  });

  test("the trial precedes the months, if there is one, without overlap", () => {
    for (const { account, time } of cases) {
      const [first, ...others] = periodsUntil(account, time);
      const hasTrial = account.created_at < account.billed_from;
      expect(first?.month).toBe(hasTrial ? undefined : 0);
      expect(first && first.start < first.end && (!hasTrial || first.end <= account.billed_from)).toBe(true);
      expect(others.every(({ month }) => month !== undefined)).toBe(true);
    }
  });

  test("a month starts on the day and time it is billed from, unless it is too short", () => {
    for (const { account, time } of cases) {
      const { start } = periodAt(account, time);
      const [year, month, day] = start.slice(0, 10).split("-").map(Number);
      const daysOfMonth = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
      expect(day).toBe(Math.min(Number(account.billed_from.slice(8, 10)), daysOfMonth));
      expect(start.slice(10)).toBe(account.billed_from.slice(10));
    }
  });
});
