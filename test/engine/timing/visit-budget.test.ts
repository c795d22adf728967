// The budget of the stops at which a page is waited for.
import { expect, test } from "vitest";
import { createBudget } from "../../../lib/engine/timing/budget.ts";
import { VisitBudget } from "../../../lib/engine/timing/visit-budget.ts";

test("visit budget: is a third of the time that is left", () => {
  let now = 3_000;
  const stops = new VisitBudget(createBudget(0, 30), () => now);
  now = 11_999;
  expect(stops.isUsedUp).toBe(false);
  now = 12_000;
  expect(stops.isUsedUp).toBe(true);
});

test("visit budget: never ends with exact time, which real time does not end", () => {
  let now = 0;
  const stops = new VisitBudget(createBudget(0, 30, { isExact: true }), () => now);
  now = 29_000;
  expect(stops.isUsedUp).toBe(false);
});
