// A set whose values expire, with a bound.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ExpiringSet } from "../../../lib/service/platform/expiring-set.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("expiring set: a value stays for its lifetime, counted from when it was added last", () => {
  const set = new ExpiringSet({ maxEntries: 2, lifetimeMs: 100 });
  set.add("a");
  vi.advanceTimersByTime(60);
  expect([set.has("a"), set.has("b")]).toEqual([true, false]);
  set.add("a");
  vi.advanceTimersByTime(60);
  expect(set.has("a")).toBe(true);
  vi.advanceTimersByTime(60);
  expect(set.has("a")).toBe(false);
});

test("expiring set: the oldest value leaves when there are too many", () => {
  const set = new ExpiringSet({ maxEntries: 2, lifetimeMs: 100 });
  for (const value of ["a", "b", "a", "c"]) set.add(value);
  expect(["a", "b", "c"].map((value) => set.has(value))).toEqual([true, false, true]);
});
