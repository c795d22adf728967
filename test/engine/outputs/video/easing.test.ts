// The easings by what they promise: where they begin and end, and how they gain and lose speed in between.
import { describe, expect, test } from "vitest";
import { easings } from "../../../../lib/engine/outputs/video/easing.ts";
import { scrollEasings } from "../../../../lib/options/groups/video.ts";

const moments = Array.from({ length: 101 }, (_, percent) => percent / 100);
const powers = [
  ["quad", 2],
  ["cubic", 3],
  ["quart", 4],
  ["quint", 5],
] as const;

describe.each(scrollEasings)("%s", (name) => {
  const ease = easings[name];

  test("begins at 0 and ends at 1, exactly", () => {
    expect([ease(0), ease(1)]).toEqual([0, 1]);
  });

  test("only ever goes on", () => {
    const positions = moments.map(ease);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(new Set(positions.slice(20, 80)).size).toBe(60);
  });
});

test("linear keeps its speed", () => {
  expect(moments.map(easings.linear)).toEqual(moments);
});

describe.each(powers)("of %s", (name, power) => {
  test("the one in has half a power of its time behind it at half time, the one out as much before it", () => {
    expect(easings[`ease_in_${name}`](0.5)).toBe(0.5 ** power);
    expect(easings[`ease_out_${name}`](0.5)).toBe(1 - 0.5 ** power);
  });

  test("the one out is the one in, backwards", () => {
    for (const t of moments) {
      expect(easings[`ease_out_${name}`](t)).toBeCloseTo(1 - easings[`ease_in_${name}`](1 - t), 12);
    }
  });

  test("the one in and out is each of them in half the time, over half the way", () => {
    const both = easings[`ease_in_out_${name}`];
    for (const t of moments) {
      expect(both(t / 2)).toBeCloseTo(easings[`ease_in_${name}`](t) / 2, 12);
      expect(both(0.5 + t / 2)).toBeCloseTo(0.5 + easings[`ease_out_${name}`](t) / 2, 12);
    }
  });
});
