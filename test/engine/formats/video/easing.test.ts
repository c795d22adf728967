// Easing functions: where they start and end, and how they accelerate in between.
import { describe, expect, test } from "vitest";
import { scrollEasings } from "../../../../lib/contract/options/groups/video.ts";
import { easings } from "../../../../lib/engine/formats/video/easing.ts";

const moments = Array.from({ length: 101 }, (_, percent) => percent / 100);
const powers = [
  ["quad", 2],
  ["cubic", 3],
  ["quart", 4],
  ["quint", 5],
] as const;

describe.each(scrollEasings)("easing: %s", (name) => {
  const ease = easings[name];

  test("starts at 0 and ends at 1, exactly", () => {
    expect([ease(0), ease(1)]).toEqual([0, 1]);
  });

  test("never decreases", () => {
    const positions = moments.map(ease);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(new Set(positions.slice(20, 80)).size).toBe(60);
  });
});

test("easing: linear has constant speed", () => {
  expect(moments.map(easings.linear)).toEqual(moments);
});

describe.each(powers)("easing: of %s", (name, power) => {
  test("ease in has half a power of the distance at half time, ease out as much left", () => {
    expect(easings[`ease_in_${name}`](0.5)).toBe(0.5 ** power);
    expect(easings[`ease_out_${name}`](0.5)).toBe(1 - 0.5 ** power);
  });

  test("ease out is ease in reversed", () => {
    for (const t of moments) {
      expect(easings[`ease_out_${name}`](t)).toBeCloseTo(1 - easings[`ease_in_${name}`](1 - t), 12);
    }
  });

  test("ease in and out is each of them in half the time, over half the distance", () => {
    const both = easings[`ease_in_out_${name}`];
    for (const t of moments) {
      expect(both(t / 2)).toBeCloseTo(easings[`ease_in_${name}`](t) / 2, 12);
      expect(both(0.5 + t / 2)).toBeCloseTo(0.5 + easings[`ease_out_${name}`](t) / 2, 12);
    }
  });
});
