import { describe, expect, test } from "vitest";
import { createBudget, hardAllowance, remaining, softAllowance } from "../../../lib/engine/timing/budget.ts";

describe("a budget counts from the start of the request and reserves time for the capture", () => {
  test.each([
    ["fail", 60, 2_000, 500],
    ["fail", 4, 500, 500],
    ["fail", 1, 125, 125],
    ["capture", 60, 2_000, 500],
    ["capture", 4, 1_000, 500],
    ["capture", 1, 250, 125],
  ] as const)(
    "on_timeout=%s, %i s: %i ms for the capture, %i ms for the delivery",
    (onTimeout, seconds, forPicture, forSending) => {
      const deadline = 5_000 + seconds * 1000;
      expect(createBudget(5_000, seconds, { onTimeout })).toEqual({
        deadline,
        waitsEnd: deadline - forPicture,
        lastMoment: deadline - forSending,
      });
    },
  );
});

test.each([
  ["the time for recording a video is reserved as well", 60, 20_000, 20_000],
  ["recording a video reserves at most half of the timeout", 60, 40_000, 30_000],
  ["a short video reserves as much as an image", 60, 1_000, 2_000],
])("%s", (_, seconds, recordingMs, kept) => {
  expect(createBudget(0, seconds, { recordingMs }).waitsEnd).toBe(seconds * 1000 - kept);
});

describe("in a budget of 60 s", () => {
  const budget = createBudget(0, 60);

  test.each([
    [0, 60_000],
    [59_999, 1],
    [60_000, 0],
    [99_000, 0],
  ])("after %i ms, %i ms remain", (now, left) => {
    expect(remaining(budget, now)).toBe(left);
  });

  test.each([
    ["all but 2 s for the picture", 0, 58_000],
    ["what is left of that", 40_000, 18_000],
    ["nothing once the picture must be taken", 58_000, 0],
    ["nothing, not less, later still", 70_000, 0],
  ])("a wait the caller requested gets %s", (_, now, allowance) => {
    expect(hardAllowance(budget, now)).toBe(allowance);
  });

  test("a wait the caller requested gets no more than it needs", () => {
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
