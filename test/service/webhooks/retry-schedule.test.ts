// Webhook retry schedule: delays and jitter.
import { describe, expect, test } from "vitest";
import { secondsUntilRetry } from "../../../lib/service/webhooks/retry-schedule.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";

const ALMOST_ONE = 1 - Number.EPSILON;

test.each([
  [1, 4, 6],
  [2, 48, 72],
  [3, 240, 360],
  [4, 720, 1_080],
  [5, 2_880, 4_320],
  [6, 11_520, 17_280],
  [7, 34_560, 51_840],
])(
  "webhook retry schedule: after %d failures the next attempt is %d to %d seconds later",
  (failures, shortest, longest) => {
    expect(secondsUntilRetry(failures, 0)).toBe(shortest);
    expect(secondsUntilRetry(failures, ALMOST_ONE)).toBe(longest);
  },
);

test.each([8, 9, 100])("webhook retry schedule: after %d failures there is no further attempt", (failures) => {
  expect(secondsUntilRetry(failures, 0.5)).toBeUndefined();
});

describe("webhook retry schedule: every delay", () => {
  const random = seededRandom(1);
  const waits = Array.from({ length: 7 * 200 }, (_, index) => secondsUntilRetry((index % 7) + 1, random()) ?? 0);

  test("is whole seconds", () => {
    expect(waits.filter((wait) => !Number.isInteger(wait) || wait < 1)).toEqual([]);
  });

  test("has jitter, the longest ones too", () => {
    const last = waits.filter((_, index) => index % 7 === 6);
    expect(new Set(last).size).toBeGreaterThan(150);
  });
});
