// How long results live, and where they lie for that long.
import { expect, test } from "vitest";
import { DEFAULT_LIFETIME_S, lifetimeClass, lifetimeClasses } from "../../lib/results/expiry.ts";
import { resultKey } from "../../lib/results/result-store.ts";

const DAY_S = 86_400;

test.each([
  [1, "1-day"],
  [DEFAULT_LIFETIME_S, "1-day"],
  [DAY_S, "1-day"],
  [DAY_S + 1, "7-days"],
  [7 * DAY_S, "7-days"],
  [7 * DAY_S + 1, "30-days"],
  [30 * DAY_S, "30-days"],
])("a result that lives %d s is of the class %s", (lifetime, name) => {
  expect(lifetimeClass(lifetime).name).toBe(name);
});

test.each([30 * DAY_S + 1, Number.POSITIVE_INFINITY, Number.NaN])("no result lives %d s", (lifetime) => {
  expect(() => lifetimeClass(lifetime)).toThrow(
    new RangeError(`A result cannot live ${lifetime} s; the maximum is 30 days.`),
  );
});

test("the classes are listed with the shortest first", () => {
  const days = lifetimeClasses.map((each) => each.days);
  expect(days.toSorted((a, b) => a - b)).toEqual(days);
});

test("the key of a result is its class and a name of safe characters", () => {
  expect(resultKey(DAY_S, Buffer.alloc(18, 0xff), "png")).toBe("1-day/________________________.png");
});
