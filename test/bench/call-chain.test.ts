import { expect, test } from "vitest";
import { inARow } from "../../lib/bench/call-chain.ts";

const call = (startedAt: number, endedAt: number) => ({ startedAt, endedAt });

test("no calls are none in a row", () => {
  expect(inARow([])).toBe(0);
});

test("calls at the same time are one in a row", () => {
  expect(inARow([call(0, 20), call(1, 21), call(19, 40)])).toBe(1);
});

test("each call that waits for another one makes the row longer", () => {
  expect(inARow([call(0, 20), call(21, 41), call(42, 62)])).toBe(3);
});

test("of several rows the longest counts, in whatever order the calls are told", () => {
  const lookUp = call(0, 20);
  const [count, reserve, find] = [call(21, 41), call(22, 60), call(21, 45)];
  const read = call(46, 66);
  expect(inARow([read, reserve, lookUp, find, count])).toBe(3);
});
