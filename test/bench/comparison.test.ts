import { expect, test } from "vitest";
import { changes, changeTable, notch, regressions } from "./comparison.ts";
import type { Measurement } from "./measurement.ts";

const measured = (samples: readonly number[], parts: Partial<Measurement> = {}): Measurement => ({
  name: "small page, ours",
  unit: "ms",
  samples,
  ...parts,
});

const steady = [100, 101, 99, 100, 102, 98, 100, 101];
const verdictOf = (before: Measurement, after: Measurement) => changes([before], [after])[0]?.verdict;
const shifted = (by: number) => steady.map((sample) => sample + by);

test("a notch is 1.57 interquartile ranges by the root of the number of samples", () => {
  expect(notch([1, 2, 3, 4])).toBeCloseTo((1.57 * (3 - 1)) / 2);
});

test("a change within the noise of both runs is not marked", () => {
  expect(verdictOf(measured(steady), measured(shifted(1)))).toBe("");
});

test("a time that grew beyond the noise is worse, one that shrank is better", () => {
  expect(verdictOf(measured(steady), measured(shifted(8)))).toBe("worse");
  expect(verdictOf(measured(steady), measured(shifted(-8)))).toBe("better");
});

test("captures per second are better the more they are", () => {
  const rate = { unit: "captures/s" } as const;
  expect(verdictOf(measured(steady, rate), measured(shifted(8), rate))).toBe("better");
  expect(verdictOf(measured(steady, rate), measured(shifted(-8), rate))).toBe("worse");
});

test("the same change is within the noise of a run whose samples are far apart", () => {
  const restless = [80, 120, 90, 110, 70, 130, 100, 100];
  expect(verdictOf(measured(restless), measured(restless.map((sample) => sample + 8)))).toBe("");
});

test("two samples tell no noise, so that nothing is marked", () => {
  const [change] = changes([measured([100, 100])], [measured([200, 200])]);
  expect(change).toMatchObject({ before: 100, after: 200, noise: Number.POSITIVE_INFINITY, verdict: "" });
});

test("counts that are always the same have no noise, so that one more is seen", () => {
  const calls = { unit: "calls" } as const;
  expect(verdictOf(measured([2, 2, 2], calls), measured([3, 3, 3], calls))).toBe("worse");
});

test("only what both runs have measured in the same unit is compared", () => {
  const before = [measured(steady), measured(steady, { name: "gone" }), measured(steady, { name: "other unit" })];
  const after = [
    measured(steady),
    measured(steady, { name: "new" }),
    measured(steady, { name: "other unit", unit: "MB" }),
  ];
  expect(changes(before, after).map(({ name }) => name)).toEqual(["small page, ours"]);
});

test("worse beyond the noise but within 5 % is marked, and no regression", () => {
  const all = changes([measured(steady)], [measured(shifted(4))]);
  expect(all[0]?.verdict).toBe("worse");
  expect(regressions(all)).toEqual([]);
});

test("worse beyond the noise and 5 % is a regression, told with both medians", () => {
  expect(regressions(changes([measured(steady)], [measured(shifted(8))]))).toEqual([
    "small page, ours: 100 became 108 ms.",
  ]);
});

test("the table tells medians, change and noise, and marks only what is beyond it", () => {
  const same = measured(steady, { name: "PDF, ours" });
  const lines = changeTable(changes([measured(steady), same], [measured(shifted(8)), same])).split("\n");
  expect(lines[1]).toMatch(/^small page, ours\s+ms\s+100\s+108\s+\+8\.0 %\s+± 2\.22\s+worse$/);
  expect(lines[2]).toMatch(/^PDF, ours\s+ms\s+100\s+100\s+0\.0 %\s+± 2\.22$/);
});
