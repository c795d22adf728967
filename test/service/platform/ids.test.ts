// Identifiers: integers that increase with time and tell it.
import { expect, test } from "vitest";
import { createId, idTime, parseId } from "../../../lib/service/platform/ids.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";

const ALMOST_ONE = 1 - Number.EPSILON;
const FIRST = Date.UTC(2025, 0, 1);
const LAST = Date.UTC(2094, 0, 1);

test("ids: the first id is 0", () => {
  expect(createId(FIRST, 0)).toBe(0);
});

test("ids: are safe integers until 2094", () => {
  const ids = [createId(FIRST, ALMOST_ONE), createId(Date.UTC(2026, 0, 31), 0.5), createId(LAST, ALMOST_ONE)];
  expect(ids.map(Number.isSafeInteger)).toEqual([true, true, true]);
});

test("ids: those of one millisecond are below those of the next", () => {
  const now = Date.UTC(2026, 0, 31, 12, 30, 15, 250);
  expect(createId(now + 1, 0) - createId(now, ALMOST_ONE)).toBe(1);
});

test("ids: a millisecond has 4,096 ids", () => {
  const now = Date.UTC(2026, 0, 31);
  const ids = Array.from({ length: 4096 }, (_, part) => createId(now, part / 4096));
  expect([new Set(ids).size, (ids.at(-1) ?? 0) - (ids[0] ?? 0)]).toEqual([4096, 4095]);
});

test("ids: contain their creation time in milliseconds", () => {
  const random = seededRandom(1);
  const times = Array.from({ length: 2_000 }, () => Math.floor(FIRST + random() * (LAST - FIRST)));
  expect(times.map((time) => idTime(createId(time, random())))).toEqual(times);
});

test("ids: sort by time", () => {
  const random = seededRandom(2);
  const times = Array.from({ length: 2_000 }, (_, index) => FIRST + index * 997);
  const ids = times.map((time) => createId(time, random()));
  expect(ids.toSorted((a, b) => a - b)).toEqual(ids);
});

test.each([
  ...["", "-1", "1.5", "1e3", "NaN", "Infinity", "x", "9007199254740993", "\0", "KEY#", "JOBS#", "1/2", "💥", "%00"],
  ...["07", "+7", " 7", "7.0", "7n", "0x7"],
])("ids: %j in a path is none", (text) => {
  expect([parseId("7"), parseId(text)]).toEqual([7, Number.NaN]);
});
