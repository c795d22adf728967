// Invoices: price, overage and status of a billing period.
import { describe, expect, test } from "vitest";
import type { Counts } from "../../../lib/contract/plan-cost.ts";
import type { PlanName } from "../../../lib/contract/plans.ts";
import type { BillingPeriod } from "../../../lib/service/billing/billing-period.ts";
import { billingTerms, invoice, type Terms } from "../../../lib/service/billing/invoice.ts";

const MINUTE_MS = 60_000;
const firstMonth = { start: "2026-01-31T12:00:00.000Z", end: "2026-02-28T12:00:00.000Z", month: 0 };
const laterMonth = { ...firstMonth, month: 1 };
const trial = { ...firstMonth, month: undefined };
const END = Date.parse(firstMonth.end);
const none = { screenshots: 0, videos: 0 };

function invoiceOf(plan: PlanName, counts: Counts, { period = laterMonth as BillingPeriod, now = END - 1 } = {}) {
  return invoice(period, { terms: billingTerms({ plan }, period), counts, now });
}

test("invoice: contains the period, its captures and their cost", () => {
  expect(invoiceOf("starter", { screenshots: 5_003, videos: 20 }, { period: firstMonth })).toEqual({
    period: { start: "2026-01-31T12:00:00.000Z", end: "2026-02-28T12:00:00.000Z" },
    status: "open",
    payment: null, // no payments are recorded
    due_at: null,
    payment_failed_at: null,
    plan: "starter",
    currency: "usd",
    price: "1.00",
    quotas: {
      screenshots: { limit: 5_000, used: 5_003, remaining: 0 },
      videos: { limit: 150, used: 20, remaining: 130 },
    },
    overage: { units: 3, unit_price: "0.005", amount: "0.02" },
    total: "1.02",
  });
});

describe("invoice: a month without overage costs", () => {
  test.each<[PlanName, BillingPeriod, string]>([
    ["starter", firstMonth, "1.00"],
    ["starter", laterMonth, "12.00"],
    ["starter", { ...laterMonth, month: 12 }, "12.00"],
    ["pro", firstMonth, "49.00"],
    ["pro", laterMonth, "49.00"],
    ["max", firstMonth, "129.00"],
    ["max", laterMonth, "129.00"],
  ])("with the plan %s, in month %o: %s", (plan, period, price) => {
    expect(invoiceOf(plan, none, { period })).toMatchObject({ price, overage: { units: 0 }, total: price });
  });
});

describe("invoice: captures beyond the quota cost", () => {
  test.each<[string, PlanName, Counts, { units: number; amount: string; total: string }]>([
    [
      "nothing when the quotas are just used up",
      "starter",
      { screenshots: 5_000, videos: 150 },
      { units: 0, amount: "0.00", total: "12.00" },
    ],
    [
      "half a cent for one, which is charged as one",
      "starter",
      { screenshots: 5_001, videos: 0 },
      { units: 1, amount: "0.01", total: "12.01" },
    ],
    [
      "the same for videos, however many screenshots are left",
      "starter",
      { screenshots: 0, videos: 152 },
      { units: 2, amount: "0.01", total: "12.01" },
    ],
    [
      "what both quotas overflow by",
      "starter",
      { screenshots: 5_100, videos: 250 },
      { units: 200, amount: "1.00", total: "13.00" },
    ],
    [
      "nothing of a pool that is just used up by both kinds",
      "pro",
      { screenshots: 19_999, videos: 1 },
      { units: 0, amount: "0.00", total: "49.00" },
    ],
    [
      "what both kinds overflow a pool by",
      "pro",
      { screenshots: 20_000, videos: 2 },
      { units: 2, amount: "0.01", total: "49.01" },
    ],
    [
      "nothing for videos alone within a pool",
      "max",
      { screenshots: 0, videos: 60_000 },
      { units: 0, amount: "0.00", total: "129.00" },
    ],
    [
      "a third of a cent, which is charged as none",
      "pro",
      { screenshots: 20_001, videos: 0 },
      { units: 1, amount: "0.00", total: "49.00" },
    ],
    [
      "a quarter of a cent, which is charged as none",
      "max",
      { screenshots: 0, videos: 60_001 },
      { units: 1, amount: "0.00", total: "129.00" },
    ],
    [
      "exactly half a cent, which is charged as one",
      "max",
      { screenshots: 60_002, videos: 0 },
      { units: 2, amount: "0.01", total: "129.01" },
    ],
    [
      "exact amounts, a million times",
      "pro",
      { screenshots: 1_020_000, videos: 0 },
      { units: 1_000_000, amount: "3500.00", total: "3549.00" },
    ],
    [
      "exact amounts, regardless of the number",
      "max",
      { screenshots: 60_000, videos: 1_234_567 },
      { units: 1_234_567, amount: "3086.42", total: "3215.42" },
    ],
  ])("%s", (_, plan, counts, { units, amount, total }) => {
    expect(invoiceOf(plan, counts)).toMatchObject({ overage: { units, amount }, total });
  });

  test.each<[PlanName, string]>([
    ["starter", "0.005"],
    ["pro", "0.0035"],
    ["max", "0.0025"],
  ])("with the plan %s, %s each", (plan, unit_price) => {
    expect(invoiceOf(plan, none).overage.unit_price).toBe(unit_price);
  });
});

describe("invoice: a trial", () => {
  test("costs nothing, regardless of captures and the current plan", () => {
    for (const plan of ["free", "starter", "max"] as const) {
      expect(invoiceOf(plan, { screenshots: 301, videos: 50 }, { period: trial })).toMatchObject({
        plan: "free",
        price: "0.00",
        quotas: {
          screenshots: { limit: 300, used: 301, remaining: 0 },
          videos: { limit: 50, used: 50, remaining: 0 },
        },
        overage: { units: 0, unit_price: null, amount: "0.00" },
        total: "0.00",
      });
    }
  });
});

describe("invoice: its status is", () => {
  test.each([
    ["open while its period runs", END - 1, "open"],
    ["open while captures that began in its period may still end", END + 15 * MINUTE_MS - 1, "open"],
    ["closed afterwards", END + 15 * MINUTE_MS, "closed"],
  ])("%s", (_, now, status) => {
    expect(invoiceOf("pro", none, { now }).status).toBe(status);
  });
});

test("invoice: uses the given terms, not the current plan", () => {
  const terms = { plan: "pro", price: 10_000, quotas: { captures: 1 }, overagePrice: 30_000 } as Terms;
  expect(invoice(laterMonth, { terms, counts: { screenshots: 2, videos: 1 }, now: END })).toMatchObject({
    price: "1.00",
    quotas: { captures: { limit: 1, used: 3, remaining: 0 } },
    overage: { units: 2, unit_price: "3.00", amount: "6.00" },
    total: "7.00",
  });
});
