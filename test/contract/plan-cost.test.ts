// What a month costs, by plan.
import { describe, expect, test } from "vitest";
import { dollars } from "../../lib/contract/money.ts";
import { monthlyCost } from "../../lib/contract/plan-cost.ts";
import { type PlanName, plans } from "../../lib/contract/plans.ts";

describe("the cost of a month:", () => {
  test.each<[PlanName, number, number, string | undefined]>([
    ["free", 300, 50, "0.00"],
    ["free", 301, 0, undefined],
    ["starter", 5_000, 150, "12.00"],
    ["starter", 5_001, 150, "12.01"],
    ["starter", 0, 250, "12.50"],
    ["pro", 20_000, 0, "49.00"],
    ["pro", 19_000, 1_004, "49.01"],
    ["max", 100_000, 0, "229.00"],
  ])("%s with %d screenshots and %d videos is %s", (plan, screenshots, videos, expected) => {
    const cost = monthlyCost(plans[plan], { screenshots, videos });
    expect(cost === undefined ? undefined : dollars(cost)).toBe(expected);
  });
});
