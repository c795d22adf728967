// When a webhook is tried again.
import { describe, expect, test } from "vitest";
import { MAX_VISIBILITY_TIMEOUT_S } from "../../lib/aws/visibility-timeout.ts";
import { secondsUntilRetry } from "../../lib/webhooks/retry-schedule.ts";
import { seededRandom } from "../support/builders.ts";

const ALMOST_ONE = 1 - Number.EPSILON;

test.each([
  [1, 4, 6],
  [2, 48, 72],
  [3, 240, 360],
  [4, 720, 1_080],
  [5, 2_880, 4_320],
  [6, 11_520, 17_280],
  [7, 34_560, 42_300],
])("after %d failures it is tried again between %d and %d seconds later", (failures, shortest, longest) => {
  expect(secondsUntilRetry(failures, 0)).toBe(shortest);
  expect(secondsUntilRetry(failures, ALMOST_ONE)).toBe(longest);
});

test.each([8, 9, 100])("after %d failures it is never tried again", (failures) => {
  expect(secondsUntilRetry(failures, 0.5)).toBeUndefined();
});

describe("every wait", () => {
  const random = seededRandom(1);
  const waits = Array.from({ length: 7 * 200 }, (_, index) => secondsUntilRetry((index % 7) + 1, random()) ?? 0);

  test("is whole seconds that SQS can hide a message for, with time left for the try", () => {
    expect(waits.filter((wait) => !Number.isInteger(wait) || wait < 1 || wait > MAX_VISIBILITY_TIMEOUT_S)).toEqual([]);
    expect(MAX_VISIBILITY_TIMEOUT_S).toBeLessThanOrEqual(43_200 - 60);
  });

  test("differs from others of the same time, the longest ones, too", () => {
    const last = waits.filter((_, index) => index % 7 === 6);
    expect(new Set(last).size).toBeGreaterThan(150);
    expect(last.filter((wait) => wait === MAX_VISIBILITY_TIMEOUT_S).length).toBeLessThan(5);
  });
});
