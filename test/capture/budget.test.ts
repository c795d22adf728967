import { describe, expect, test } from "vitest";
import { createBudget, hardAllowance, remaining, softAllowance } from "../../lib/capture/budget.ts";

test("a budget counts from when the request began", () => {
  expect(createBudget(5_000, 60)).toEqual({ deadline: 65_000 });
});

describe("of a budget of 60 s", () => {
  const budget = createBudget(0, 60);

  test.each([
    [0, 60_000],
    [59_999, 1],
    [60_000, 0],
    [99_000, 0],
  ])("there remain, after %i ms, %i ms", (now, left) => {
    expect(remaining(budget, now)).toBe(left);
  });

  test.each([
    ["30 s at most, however much is left", 0, 30_000],
    ["what is left but 2 s for the capture", 40_000, 18_000],
    ["what is left but an eighth, when that is less", 52_000, 7_000],
    ["nothing once the time is over", 60_000, 0],
    ["nothing, not less, later still", 70_000, 0],
  ])("a wait that fails the capture gets %s", (_, now, allowance) => {
    expect(hardAllowance(budget, now)).toBe(allowance);
  });

  test("a wait that fails the capture gets no more than it needs", () => {
    expect(hardAllowance(budget, 0, 10_000)).toBe(10_000);
  });

  test.each([
    ["no more than it needs", 0, 10_000, 10_000],
    ["at most half of what is left", 50_000, 10_000, 5_000],
    ["nothing once the time is over", 61_000, 10_000, 0],
  ])("a wait that gives up quietly gets %s", (_, now, longest, allowance) => {
    expect(softAllowance(budget, now, longest)).toBe(allowance);
  });
});
