// Options of the usage list and the statistics.
import { describe, expect, test } from "vitest";
import { dayRange } from "../../../lib/service/usage/statistics.ts";
import { parseListOptions, parseStatisticsOptions } from "../../../lib/service/usage/usage-options.ts";
import { apiErrorOf } from "../../support/builders.ts";

describe.each([
  ["the list", parseListOptions, { page: 1, per_page: 25 }],
  ["the statistics", parseStatisticsOptions, { days: 7 }],
] as const)("usage options, %s:", (_, parse, defaults) => {
  const problems = (sent: object) => apiErrorOf(() => parse(sent)).details;

  test("have defaults", () => {
    expect(parse({})).toEqual(defaults);
  });

  test("accept every filter as text", () => {
    const sent = { status: "Failed", api_key_id: "9007199254740991", from: "2026-01-01", to: "2026-01-31" };
    expect(parse(sent)).toEqual({ ...defaults, ...sent, status: "failed", api_key_id: Number.MAX_SAFE_INTEGER });
  });

  test("accept a range of one day", () => {
    const day = { from: "2024-02-29", to: "2024-02-29" };
    expect(parse(day)).toEqual({ ...defaults, ...day });
  });

  const notADate = "must be a date such as 2026-01-31";
  const notADay = "is not a valid date";
  const range = { from: "2026-01-01", to: "2026-01-31" };
  test.each([
    [{ status: "done" }, { status: ['must be one of success, failed, not "done"'] }],
    [{ api_key_id: "-1" }, { api_key_id: ['must be a whole number from 0 to 9007199254740991, not "-1"'] }],
    [{ api_key_id: ["1", "2"] }, { api_key_id: ['must be a whole number from 0 to 9007199254740991, not ["1","2"]'] }],
    [{ ...range, to: "2026-02-30" }, { to: [notADay] }],
    [{ ...range, from: "2025-11-31" }, { from: [notADay] }],
    [{ ...range, to: ["2026-01-31"] }, { to: [notADate] }],
    [{ from: "2026-01-02", to: "2026-01-01" }, { to: ["must not be before 'from'"] }],
    [{ statuss: "failed" }, { statuss: ["is not an option; did you mean 'status'?"] }],
  ])("reject %j", (sent, details) => {
    expect(problems(sent)).toEqual(details);
  });

  test.each(["2026-1-31", "2026-01-31T00:00:00Z", "31.01.2026", "+2026-01-31", "2026-01-31\n", "today", ""])(
    "reject %j as a date, and show an example",
    (to) => {
      expect(problems({ ...range, to })?.["to"]?.[0]).toBe(notADate);
    },
  );
});

describe("usage options: the list", () => {
  test.each([
    { page: "1", per_page: "1" },
    { page: "1000000000", per_page: "100" },
  ])("accepts %j", (sent) => {
    expect(parseListOptions(sent)).toEqual({ page: Number(sent.page), per_page: Number(sent.per_page) });
  });

  test.each([
    [{ page: "0" }, { page: ['must be a whole number from 1 to 1000000000, not "0"'] }],
    [{ page: "1000000001" }, { page: ['must be a whole number from 1 to 1000000000, not "1000000001"'] }],
    [{ page: "1.5" }, { page: ['must be a whole number from 1 to 1000000000, not "1.5"'] }],
    [{ per_page: "0" }, { per_page: ['must be a whole number from 1 to 100, not "0"'] }],
    [{ per_page: "101" }, { per_page: ['must be a whole number from 1 to 100, not "101"'] }],
    [{ days: "7" }, { days: ["is not an option"] }],
  ])("rejects %j", (sent, details) => {
    expect(apiErrorOf(() => parseListOptions(sent)).details).toEqual(details);
  });

  test("accepts an open range of any length", () => {
    expect([
      parseListOptions({ from: "2020-01-01" }),
      parseListOptions({ to: "2020-01-01" }),
      parseListOptions({ from: "2020-01-01", to: "2026-01-01" }),
    ]).toEqual([
      { page: 1, per_page: 25, from: "2020-01-01" },
      { page: 1, per_page: 25, to: "2020-01-01" },
      { page: 1, per_page: 25, from: "2020-01-01", to: "2026-01-01" },
    ]);
  });
});

describe("usage options: the statistics", () => {
  test.each(["1", "90"])("accept %s days", (days) => {
    expect(parseStatisticsOptions({ days })).toEqual({ days: Number(days) });
  });

  test("accept one end of a range, as the list does", () => {
    const from = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10);
    expect(parseStatisticsOptions({ from })).toEqual({ days: 7, from });
    expect(parseStatisticsOptions({ days: "7", to: "2020-01-07" })).toEqual({ days: 7, to: "2020-01-07" });
    const now = Date.UTC(2026, 4, 9, 12);
    expect(dayRange({ days: 7, to: "2020-01-07" }, now)).toEqual({ from: "2020-01-01", to: "2020-01-07" });
    expect(dayRange({ days: 7, from: "2026-05-01" }, now)).toEqual({ from: "2026-05-01", to: "2026-05-09" });
    expect(dayRange({ days: 7 }, now)).toEqual({ from: "2026-05-03", to: "2026-05-09" });
  });

  test("accept a range of 90 days, also over the end of daylight saving time", () => {
    const range = { from: "2026-02-01", to: "2026-05-01" };
    expect(parseStatisticsOptions(range)).toEqual({ days: 7, ...range });
  });

  test.each([
    [{ days: "0" }, { days: ['must be a whole number from 1 to 90, not "0"'] }],
    [{ days: "91" }, { days: ['must be a whole number from 1 to 90, not "91"'] }],
    [{ to: "2026-01-01" }, { to: ["needs the first day of the range as 'from', or a number of 'days' up to 'to'"] }],
    [{ from: "2020-01-01" }, { from: ["must be within 90 days of today without 'to'"] }],
    [{ from: "9999-01-01" }, { from: ["must not be after today without 'to'"] }],
    [{ from: "2026-02-01", to: "2026-05-02" }, { to: ["must be within 90 days of 'from'"] }],
    [{ page: "1" }, { page: ["is not an option"] }],
  ])("reject %j", (sent, details) => {
    expect(apiErrorOf(() => parseStatisticsOptions(sent)).details).toEqual(details);
  });
});
