import { describe, expect, test } from "vitest";
import {
  changeTable,
  compareRuns,
  machineBetween,
  medianConfidenceHalfWidth,
  regressions,
} from "../../../lib/tools/measure/comparison.ts";
import type { Measurement } from "../../../lib/tools/measure/measurement.ts";

const measured = (samples: readonly number[], parts: Partial<Measurement> = {}): Measurement => ({
  name: "small page, ours",
  unit: "ms",
  samples,
  ...parts,
});

const steady = [100, 101, 99, 100, 102, 98, 100, 101];
const verdictOf = (before: Measurement, after: Measurement) => compareRuns([before], [after])[0]?.verdict;
const shifted = (by: number) => steady.map((sample) => sample + by);

test("comparison: the 95 % confidence interval of the median is 1.57 interquartile ranges by the root of the number of samples", () => {
  expect(medianConfidenceHalfWidth([1, 2, 3, 4])).toBeCloseTo((1.4 * 1.57 * (3 - 1)) / 2);
});

test("comparison: a change within the noise of both runs is not marked", () => {
  expect(verdictOf(measured(steady), measured(shifted(1)))).toBe("");
});

test("comparison: a longer time beyond the noise is worse, a shorter one is better", () => {
  expect(verdictOf(measured(steady), measured(shifted(8)))).toBe("worse");
  expect(verdictOf(measured(steady), measured(shifted(-8)))).toBe("better");
});

test("comparison: more captures per second are better", () => {
  const rate = { unit: "captures/s" } as const;
  expect(verdictOf(measured(steady, rate), measured(shifted(8), rate))).toBe("better");
  expect(verdictOf(measured(steady, rate), measured(shifted(-8), rate))).toBe("worse");
});

test("comparison: the same change is within the noise of scattered samples", () => {
  const restless = [80, 120, 90, 110, 70, 130, 100, 100];
  expect(verdictOf(measured(restless), measured(restless.map((sample) => sample + 8)))).toBe("");
});

test("comparison: two samples have no known noise, so nothing is marked", () => {
  const [change] = compareRuns([measured([100, 100])], [measured([200, 200])]);
  expect(change).toMatchObject({ before: 100, after: 200, noise: Number.POSITIVE_INFINITY, verdict: "" });
});

test("comparison: constant figures have no noise, so one more is marked", () => {
  const memory = { unit: "MB" } as const;
  expect(verdictOf(measured([2, 2, 2], memory), measured([3, 3, 3], memory))).toBe("worse");
});

test("comparison: only measurements of both runs with the same unit are compared", () => {
  const before = [measured(steady), measured(steady, { name: "gone" }), measured(steady, { name: "other unit" })];
  const after = [
    measured(steady),
    measured(steady, { name: "new" }),
    measured(steady, { name: "other unit", unit: "MB" }),
  ];
  expect(compareRuns(before, after).map(({ name }) => name)).toEqual(["small page, ours"]);
});

test("comparison: worse beyond the noise but within 5 % is marked, but no regression", () => {
  const all = compareRuns([measured(steady)], [measured(shifted(4))]);
  expect(all[0]?.verdict).toBe("worse");
  expect(regressions(all)).toEqual([]);
});

test("comparison: worse beyond the noise and 5 % is a regression, reported with both medians", () => {
  expect(regressions(compareRuns([measured(steady)], [measured(shifted(8))]))).toEqual([
    "small page, ours: 108 ms where 100 were expected.",
  ]);
});

test("comparison: the table has medians, change and noise, and marks changes beyond the noise", () => {
  const same = measured(steady, { name: "PDF, ours" });
  const [reported, , , first, second] = changeTable(
    compareRuns([measured(steady), same], [measured(shifted(8)), same]),
    undefined,
  ).split("\n");
  expect(reported).toBe("No bare script was measured in both runs, so a change of the machine cannot be told apart.");
  expect(first).toMatch(/^small page, ours\s+ms\s+100\s+100\s+108\s+\+8\.0 %\s+± 3\.11\s+worse$/);
  expect(second).toMatch(/^PDF, ours\s+ms\s+100\s+100\s+100\s+0\.0 %\s+± 3\.11$/);
});

describe("comparison: on a machine that has become slower", () => {
  const times = (factor: number, parts: Partial<Measurement> = {}) =>
    measured(
      steady.map((sample) => sample * factor),
      parts,
    );
  const script = { name: "script", isFloor: true };
  const scripts = (factors: readonly number[]) =>
    factors.map((factor, index) => times(factor, { name: `script ${index}`, isFloor: true }));

  test("a time that grew like those of the bare scripts has not changed", () => {
    const all = compareRuns([measured(steady), measured(steady, script)], [times(1.3), times(1.3, script)]);
    expect(all.map(({ verdict }) => verdict)).toEqual(["", ""]);
    expect(all[0]?.expected).toBeCloseTo(130);
  });

  test("a time that grew by more than those is worse, and one that stayed is better", () => {
    const verdictWith = (ours: Measurement) =>
      compareRuns([measured(steady), measured(steady, script)], [ours, times(1.3, script)])[0]?.verdict;
    expect(verdictWith(times(1.45))).toBe("worse");
    expect(verdictWith(times(1))).toBe("better");
  });

  test("fewer captures per second are expected", () => {
    const rate = { unit: "captures/s" } as const;
    const all = compareRuns(
      [measured(steady, rate), measured(steady, script)],
      [times(1 / 1.3, rate), times(1.3, script)],
    );
    expect(all[0]).toMatchObject({ verdict: "" });
    expect(all[0]?.expected).toBeCloseTo(100 / 1.3);
  });

  test("a ratio is expected to stay, however the machine has changed", () => {
    const ratio = { unit: "ratio" } as const;
    const all = compareRuns(
      [measured(steady, ratio), measured(steady, script)],
      [times(1.1, ratio), times(1.3, script)],
    );
    expect(all[0]?.verdict).toBe("worse");
  });

  test("the spread of the bare scripts is noise of all times", () => {
    const before = [measured(steady), ...scripts([1, 1, 1, 1])];
    const after = [times(1.12), ...scripts([0.9, 1, 1, 1.1])];
    expect(machineBetween(before, after)).toEqual({ factor: 1, spread: expect.closeTo(0.1) });
    expect(compareRuns(before, after)[0]?.verdict).toBe("");
  });

  test("the bare scripts define the speed of the machine", () => {
    const all = compareRuns([measured(steady, script)], [times(1.3, script)]);
    expect(all[0]?.verdict).toBe("");
    const [reported, , , row] = changeTable(all, { factor: 1.3, spread: 0.05 }).split("\n");
    expect(reported).toMatch(/^Bare scripts took 1\.30 times as long as then, nine of ten within 5 % of that\./);
    expect(row).toMatch(/machine$/);
  });
});
