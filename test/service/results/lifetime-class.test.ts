// Lifetime classes of results and their key prefixes.
import { expect, test } from "vitest";
import { DEFAULT_LIFETIME_S, lifetimeClass, lifetimeClasses } from "../../../lib/service/results/lifetime-class.ts";
import { resultKey } from "../../../lib/service/results/result-store.ts";

const DAY_S = 86_400;

test.each([
  [1, "1-day"],
  [DEFAULT_LIFETIME_S, "1-day"],
  [DAY_S, "1-day"],
  [DAY_S + 1, "7-days"],
  [7 * DAY_S, "7-days"],
  [7 * DAY_S + 1, "30-days"],
  [30 * DAY_S, "30-days"],
])("result lifetime: %d s is in the class %s", (lifetime, name) => {
  expect(lifetimeClass(lifetime).name).toBe(name);
});

test.each([30 * DAY_S + 1, Number.POSITIVE_INFINITY, Number.NaN])("result lifetime: %d s is rejected", (lifetime) => {
  expect(() => lifetimeClass(lifetime)).toThrow(
    new RangeError(`A result cannot live ${lifetime} s; the maximum is 30 days.`),
  );
});

test("result lifetime: classes are listed shortest first", () => {
  const days = lifetimeClasses.map((each) => each.days);
  expect(days.toSorted((a, b) => a - b)).toEqual(days);
});

test("result key: consists of its class and a name of URL-safe characters", () => {
  expect(resultKey(DAY_S, Buffer.alloc(18, 0xff), "png")).toBe("1-day/________________________.png");
});
