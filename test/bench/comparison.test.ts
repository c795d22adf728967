import { describe, expect, test } from "vitest";
import {
  changes,
  changeTable,
  machineBetween,
  medianConfidenceHalfWidth,
  regressions,
} from "../../lib/bench/comparison.ts";
import type { Measurement } from "../../lib/bench/measurement.ts";

const measured = (samples: readonly number[], parts: Partial<Measurement> = {}): Measurement => ({
  name: "small page, ours",
  unit: "ms",
  samples,
  ...parts,
});

const steady = [100, 101, 99, 100, 102, 98, 100, 101];
const verdictOf = (before: Measurement, after: Measurement) => changes([before], [after])[0]?.verdict;
const shifted = (by: number) => steady.map((sample) => sample + by);

test("a notch is 1.57 interquartile ranges by the root of the number of samples, and 1.4 times that for all together", () => {
  expect(medianConfidenceHalfWidth([1, 2, 3, 4])).toBeCloseTo((1.4 * 1.57 * (3 - 1)) / 2);
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
    "small page, ours: 108 ms where 100 were expected.",
  ]);
});

test("the table tells medians, change and noise, and marks only what is beyond it", () => {
  const same = measured(steady, { name: "PDF, ours" });
  const [told, , , first, second] = changeTable(
    changes([measured(steady), same], [measured(shifted(8)), same]),
    undefined,
  ).split("\n");
  expect(told).toBe("No bare script was measured in both, so that nothing tells what became of the machine.");
  expect(first).toMatch(/^small page, ours\s+ms\s+100\s+100\s+108\s+\+8\.0 %\s+± 3\.11\s+worse$/);
  expect(second).toMatch(/^PDF, ours\s+ms\s+100\s+100\s+100\s+0\.0 %\s+± 3\.11$/);
});

describe("On a machine that has become slower", () => {
  const times = (factor: number, parts: Partial<Measurement> = {}) =>
    measured(
      steady.map((sample) => sample * factor),
      parts,
    );
  const script = { name: "script", isFloor: true };
  const scripts = (factors: readonly number[]) =>
    factors.map((factor, index) => times(factor, { name: `script ${index}`, isFloor: true }));

  test("a time that grew as those of the bare scripts has not changed", () => {
    const all = changes([measured(steady), measured(steady, script)], [times(1.3), times(1.3, script)]);
    expect(all.map(({ verdict }) => verdict)).toEqual(["", ""]);
    expect(all[0]?.expected).toBeCloseTo(130);
  });

  test("a time that grew by more than those is worse, and one that stayed is better", () => {
    const beside = (ours: Measurement) =>
      changes([measured(steady), measured(steady, script)], [ours, times(1.3, script)])[0]?.verdict;
    expect(beside(times(1.45))).toBe("worse");
    expect(beside(times(1))).toBe("better");
  });

  test("fewer captures per second are as many as expected", () => {
    const rate = { unit: "captures/s" } as const;
    const all = changes([measured(steady, rate), measured(steady, script)], [times(1 / 1.3, rate), times(1.3, script)]);
    expect(all[0]).toMatchObject({ verdict: "" });
    expect(all[0]?.expected).toBeCloseTo(100 / 1.3);
  });

  test("a ratio is expected as it was, however the machine has changed", () => {
    const ratio = { unit: "ratio" } as const;
    const all = changes([measured(steady, ratio), measured(steady, script)], [times(1.1, ratio), times(1.3, script)]);
    expect(all[0]?.verdict).toBe("worse");
  });

  test("a price, of which time is a part, is as expected until it has grown by more than time", () => {
    const price = { unit: "USD per 1,000" } as const;
    const beside = (ours: Measurement) =>
      changes([measured(steady, price), measured(steady, script)], [ours, times(1.3, script)])[0]?.verdict;
    expect(beside(times(1.2, price))).toBe("");
    expect(beside(times(1.4, price))).toBe("worse");
  });

  test("how far the scripts differ among each other is noise of all times", () => {
    const before = [measured(steady), ...scripts([1, 1, 1, 1])];
    const after = [times(1.12), ...scripts([0.9, 1, 1, 1.1])];
    expect(machineBetween(before, after)).toEqual({ factor: 1, spread: expect.closeTo(0.1) });
    expect(changes(before, after)[0]?.verdict).toBe("");
  });

  test("the bare scripts are the machine, whatever became of them", () => {
    const all = changes([measured(steady, script)], [times(1.3, script)]);
    expect(all[0]?.verdict).toBe("");
    const [told, , , row] = changeTable(all, { factor: 1.3, spread: 0.05 }).split("\n");
    expect(told).toMatch(/^Bare scripts took 1\.30 times as long as then, nine of ten within 5 % of that\./);
    expect(row).toMatch(/machine$/);
  });
});
