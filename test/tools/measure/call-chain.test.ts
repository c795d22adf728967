import { expect, test } from "vitest";
import { inARow } from "../../../lib/tools/measure/call-chain.ts";

const call = (startedAt: number, endedAt: number) => ({ startedAt, endedAt });

test("call chain: no calls have length 0", () => {
  expect(inARow([])).toBe(0);
});

test("call chain: concurrent calls have length 1", () => {
  expect(inARow([call(0, 20), call(1, 21), call(19, 40)])).toBe(1);
});

test("call chain: each call that waits for another one adds 1", () => {
  expect(inARow([call(0, 20), call(21, 41), call(42, 62)])).toBe(3);
});

test("call chain: the longest of several chains counts, in any order of calls", () => {
  const lookUp = call(0, 20);
  const [count, reserve, find] = [call(21, 41), call(22, 60), call(21, 45)];
  const read = call(46, 66);
  expect(inARow([read, reserve, lookUp, find, count])).toBe(3);
});
