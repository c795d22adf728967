// Account state: plan, trial, quotas and rate limit as the API shows them.
import { describe, expect, test } from "vitest";
import type { PlanName } from "../../../lib/contract/plans.ts";
import type { Account } from "../../../lib/service/account/account.ts";
import { accountState } from "../../../lib/service/account/account-state.ts";
import { effectiveLimits } from "../../../lib/service/account/limits.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { anAccount } from "../../support/builders.ts";

const NOON = Date.UTC(2026, 1, 15, 12);

function stateOf(parts: Partial<Account>, counts = { screenshots: 0, videos: 0 }, now = NOON) {
  const account = anAccount(parts);
  const limits = effectiveLimits(account, now, 100);
  return accountState(account, { period: periodAt(account, now), counts, usedFailures: 7, limits, now });
}

test("account state: a paid plan shows its billing month, what is used, and what it will cost", () => {
  expect(stateOf({ id: 3, plan: "pro" }, { screenshots: 20_000, videos: 200 })).toEqual({
    id: 3,
    plan: "pro",
    created_at: "2026-01-01T00:00:00.000Z",
    trial: null,
    scheduled_plan: null,
    plan_ended_at: null,
    billing_period: { start: "2026-02-01T00:00:00.000Z", end: "2026-03-01T00:00:00.000Z" },
    quotas: { captures: { limit: 20_000, used: 20_200, remaining: 0 } },
    overage: { units: 200, unit_price: "0.0035", amount: "0.70" },
    currency: "usd",
    price: "49.00",
    total: "49.70",
    free_failures: { limit: 20_200, used: 7 },
    rate_limit: { limit: 80, window_seconds: 60 },
    limits: {
      requests_per_minute: { value: 80, until: null, is_override: false },
      concurrent_captures: { value: 60, until: null, is_override: false },
      captures_per_day: { value: null, until: null, is_override: false },
      api_keys: { value: 48, until: null, is_override: false },
      concurrent_jobs: { value: 200, until: null, is_override: false },
    },
  });
});

test("account state: shows what the operator has set, also as the rate limit", () => {
  const limits = { requests_per_minute: { value: 5, until: "2026-03-01T00:00:00.000Z" } };
  expect(stateOf({ limits })).toMatchObject({
    rate_limit: { limit: 5, window_seconds: 60 },
    limits: { requests_per_minute: { value: 5, until: "2026-03-01T00:00:00.000Z", is_override: true } },
  });
});

describe("account state: an account on trial", () => {
  const onTrial = { plan: "free", created_at: "2026-02-10T12:00:00.000Z", billed_from: null } as const;

  test("shows when the trial ends and what is left of the quota", () => {
    expect(stateOf(onTrial, { screenshots: 299, videos: 50 })).toMatchObject({
      plan: "free",
      trial: { ends_at: "2026-02-17T12:00:00.000Z", is_over: false },
      billing_period: { start: "2026-02-10T12:00:00.000Z", end: "2026-02-17T12:00:00.000Z" },
      quotas: {
        screenshots: { limit: 300, used: 299, remaining: 1 },
        videos: { limit: 50, used: 50, remaining: 0 },
      },
      overage: { units: 0, unit_price: null, amount: "0.00" },
      total: "0.00",
    });
  });

  test.each([
    ["in its last millisecond", -1, false],
    ["as it ends", 0, true],
    ["a year later", 365 * 24 * 60 * 60 * 1000, true],
  ])("shows whether the trial is over, %s", (_, after, is_over) => {
    const end = Date.parse("2026-02-17T12:00:00.000Z");
    expect(stateOf(onTrial, undefined, end + after).trial).toEqual({ ends_at: "2026-02-17T12:00:00.000Z", is_over });
  });

  test("has no remaining quota after the trial", () => {
    const end = Date.parse("2026-02-17T12:00:00.000Z");
    expect(stateOf(onTrial, { screenshots: 299, videos: 0 }, end).quotas).toEqual({
      screenshots: { limit: 300, used: 299, remaining: 0 },
      videos: { limit: 50, used: 0, remaining: 0 },
    });
  });

  test("shows no trial from the moment of its paid plan, whose first month costs less", () => {
    const upgraded = { ...onTrial, plan: "starter", billed_from: "2026-02-12T08:00:00.000Z" } as const;
    expect(stateOf(upgraded)).toMatchObject({
      trial: null,
      billing_period: { start: "2026-02-12T08:00:00.000Z", end: "2026-03-12T08:00:00.000Z" },
      price: "1.00",
    });
    expect(stateOf(upgraded, undefined, NOON + 30 * 24 * 60 * 60 * 1000)).toMatchObject({ price: "12.00" });
  });
});

test.each<[PlanName, number]>([
  ["free", 10],
  ["starter", 40],
  ["pro", 80],
  ["max", 150],
])("account state: the rate limit of the plan %s is %d requests per minute", (plan, limit) => {
  expect(stateOf({ plan, ...(plan === "free" && { billed_from: null }) }).rate_limit).toEqual({
    limit,
    window_seconds: 60,
  });
});
