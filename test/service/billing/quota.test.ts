// Quota rules without a table: which quota a capture counts against, and the error when it is exhausted.
import { describe, expect, test } from "vitest";
import { errorBody } from "../../../lib/contract/errors/api-error.ts";
import { formats } from "../../../lib/contract/options/formats.ts";
import { plans } from "../../../lib/contract/plans.ts";
import {
  type Allowance,
  allowanceFor,
  creditFor,
  isTrialOver,
  quotaExceeded,
} from "../../../lib/service/billing/quota.ts";

const trial = { start: "2026-01-24T12:00:00.000Z", end: "2026-01-31T12:00:00.000Z", month: undefined };
const month = { start: "2026-01-24T12:00:00.000Z", end: "2026-02-24T12:00:00.000Z", month: 0 };
const NOON = Date.UTC(2026, 0, 31, 12);

const capture = { accountId: 3, attempt: "9", period: trial, credit: "screenshots" } as const;

describe("quota: a capture", () => {
  const videos = ["gif", "mp4", "webm", "animated_webp"];

  test.each(videos)("in format %s counts as a video", (format) => {
    expect(creditFor(format)).toBe("videos");
  });

  test.each(formats.filter((format) => !videos.includes(format)))("in format %s counts as a screenshot", (format) => {
    expect(creditFor(format)).toBe("screenshots");
  });

  test.each([
    ["free", { quota: { name: "screenshots", limit: 300 }, isCapped: true }],
    ["starter", { quota: { name: "screenshots", limit: 5_000 }, isCapped: false }],
    ["pro", { quota: { name: "captures", limit: 20_000 }, isCapped: false }],
    ["max", { quota: { name: "captures", limit: 60_000 }, isCapped: false }],
  ] as const)("of plan %s counts against its quota, which is a hard cap only on trial", (plan, against) => {
    expect(allowanceFor(capture, plans[plan])).toEqual({ ...capture, ...against });
  });
});

test.each([
  ["a trial is not over in its last millisecond", trial, NOON - 1, false],
  ["a trial is over as it ends", trial, NOON, true],
  ["a trial is over long after", trial, NOON + 1e10, true],
  ["a month is no trial that could be over", month, Date.parse(month.end) + 1, false],
])("quota: %s", (_, period, now, isOver) => {
  expect(isTrialOver({ period }, now)).toBe(isOver);
});

describe("quota: the error", () => {
  const allowance: Allowance = allowanceFor(capture, plans.free);
  const reported = (refused: Allowance, facts: { taken: number; now: number }) =>
    errorBody(quotaExceeded(refused, facts), 1);

  test("says that the trial is used up", () => {
    expect(reported(allowance, { taken: 300, now: NOON - 1 })).toEqual({
      error: "The free trial is used up: 300 of 300 screenshots are taken. Choose a paid plan to continue.",
      code: "QUOTA_EXCEEDED",
      details: { quota: "screenshots", limit: 300, used: 300, resets_at: null },
      request_id: 1,
      retryable: false,
    });
    expect(quotaExceeded(allowance, { taken: 300, now: NOON - 1 }).status).toBe(402);
  });

  test("says when the trial ended, and what was used of it", () => {
    expect(reported(allowance, { taken: 12, now: NOON })).toMatchObject({
      error: "The free trial ended at 2026-01-31T12:00:00.000Z. Choose a paid plan to continue.",
      details: { quota: "screenshots", limit: 300, used: 12, resets_at: null },
    });
  });

  test("says when a month's quota resets", () => {
    const capped = allowanceFor({ ...capture, period: month, credit: "videos" }, { quotas: { captures: 20 } });
    expect(reported(capped, { taken: 20, now: NOON })).toMatchObject({
      error:
        "This billing period's quota is used up: 20 of 20 captures are taken. It resets at 2026-02-24T12:00:00.000Z.",
      details: { quota: "captures", limit: 20, used: 20, resets_at: "2026-02-24T12:00:00.000Z" },
    });
  });
});
