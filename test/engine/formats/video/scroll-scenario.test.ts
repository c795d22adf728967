// Scroll scenario: the scroll offset at each time of a video.
import { describe, expect, test } from "vitest";
import { scrollEasings } from "../../../../lib/contract/options/groups/video.ts";
import { type Scrolling, scrollScenario } from "../../../../lib/engine/formats/video/scroll-scenario.ts";

const unhurried: Scrolling = {
  by: 1000,
  durationMs: 1000,
  delayMs: 500,
  startDelayMs: 0,
  easing: "linear",
  complete: false,
  back: "none",
};

const LONG_MS = 1e9;

function positions(changes: Partial<Scrolling>, end: number, ms: readonly number[], lastFrameMs = LONG_MS): number[] {
  return ms.map(scrollScenario({ ...unhurried, ...changes }, { end, lastFrameMs }));
}

describe("scroll scenario: down", () => {
  test("moves by a step, then pauses", () => {
    expect(positions({}, 5000, [0, 250, 500, 1000, 1250, 1500, 1750])).toEqual([0, 250, 500, 1000, 1000, 1000, 1250]);
  });

  test("makes the last step shorter, at the same duration, and ends exactly at the end", () => {
    expect(positions({}, 2400, [3000, 3500, 4000, 4500, 60_000])).toEqual([2000, 2200, 2400, 2400, 2400]);
  });

  test("needs one step for a page shorter than a step", () => {
    expect(positions({}, 300, [0, 500, 1000, 2000])).toEqual([0, 150, 300, 300]);
  });

  test("eases each step", () => {
    const [half, quarter] = [0.5 ** 2 * 1000, 0.25 ** 2 * 1000];
    expect(positions({ easing: "ease_in_quad" }, 2000, [250, 500, 1750, 2000])).toEqual([
      quarter,
      half,
      1000 + quarter,
      1000 + half,
    ]);
  });

  test("waits at the top before the first step", () => {
    expect(positions({ startDelayMs: 700 }, 1000, [0, 700, 1200, 1700])).toEqual([0, 0, 500, 1000]);
  });

  test("without delays has no pause between steps", () => {
    expect(positions({ delayMs: 0 }, 3000, [1000, 1500, 2000])).toEqual([1000, 1500, 2000]);
  });

  test("reaches an end between two pixels", () => {
    expect(positions({}, 1000.5, [2000, 2500])).toEqual([1000.25, 1000.5]);
  });
});

describe("scroll scenario: back", () => {
  test("pauses at the end, then returns to the top in one step", () => {
    const ms = [2500, 2750, 3000, 3500, 4000, 60_000];
    expect(positions({ back: "once" }, 1600, ms)).toEqual([1600, 1600, 1600, 800, 0, 0]);
  });

  test("returns in steps, of which the last is shorter", () => {
    const ms = [3000, 3500, 4000, 4500, 5000, 5500, 9000];
    expect(positions({ back: "repeat" }, 1600, ms)).toEqual([1600, 1100, 600, 600, 300, 0, 0]);
  });
});

describe("scroll scenario: from further down", () => {
  const from = (start: number, end: number, back: Scrolling["back"], ms: readonly number[]) =>
    ms.map(scrollScenario({ ...unhurried, back }, { start, end, lastFrameMs: LONG_MS }));

  test("continues to the end in full steps", () => {
    expect(from(700, 2000, "none", [0, 500, 1000, 1500, 2000, 2500])).toEqual([700, 1200, 1700, 1700, 1850, 2000]);
  });

  test("returns all the way to the top", () => {
    expect(from(700, 1200, "once", [0, 1000, 1500, 2000, 2500])).toEqual([700, 1200, 1200, 600, 0]);
    expect(from(700, 1200, "repeat", [1500, 2500, 3000, 3500, 4000])).toEqual([1200, 200, 200, 100, 0]);
  });

  test("at the end only returns", () => {
    expect(from(1200, 1200, "once", [0, 500, 1000])).toEqual([1200, 600, 0]);
    expect(from(1200, 1200, "none", [0, 500, 1000])).toEqual([1200, 1200, 1200]);
  });
});

describe("scroll scenario: a video too short for it", () => {
  const lastFrameMs = 4960;

  test.each([
    ["none", 12_345],
    ["once", 0],
    ["repeat", 0],
  ] as const)("ends at its final position, back %s", (back, last) => {
    const [beforeLast = 0, atLast] = positions(
      { complete: true, back },
      12_345,
      [lastFrameMs - 40, lastFrameMs],
      lastFrameMs,
    );
    expect(atLast).toBe(last);
    expect(beforeLast).not.toBe(last);
  });

  test("shortens steps and delays by the same factor", () => {
    // 500 + 3 · 1000 + 2 · 500 ms in a third of the time
    const scrolling = { complete: true, startDelayMs: 500 };
    const thirds = [0, 500, 1000, 1500, 2000, 2500, 4500].map((ms) => ms / 3);
    expect(positions(scrolling, 3000, thirds, 1500).map(Math.round)).toEqual([0, 0, 500, 1000, 1000, 1500, 3000]);
  });

  test("without complete keeps its speed and stops wherever it is", () => {
    expect(positions({}, 12_345, [1000, lastFrameMs], lastFrameMs)).toEqual([1000, 3460]);
  });

  test("of one frame shows the end", () => {
    expect(positions({ complete: true }, 3000, [0], 0)).toEqual([3000]);
  });
});

test("scroll scenario: complete does not slow it down", () => {
  expect(positions({ complete: true, back: "once" }, 1000, [500, 1000, 2000, 2500, 9000], 9000)).toEqual([
    500, 1000, 500, 0, 0,
  ]);
});

test.each([0, -1])("scroll scenario: a page that cannot be scrolled (%i) does not move", (end) => {
  expect(positions({ complete: true, back: "repeat" }, end, [0, 100, 4960], 4960)).toEqual([0, 0, 0]);
});

test.each(scrollEasings)(
  "scroll scenario: with %s it never jumps, never leaves the page, and turns at most once",
  (easing) => {
    const end = 7300;
    const frames = Array.from({ length: 301 }, (_, frame) => (frame * 1000) / 60);
    const scrolling = { easing, complete: true, back: "repeat" } as const;
    const offsets = positions(scrolling, end, frames, 5000);
    expect([offsets[0], Math.max(...offsets), offsets.at(-1)]).toEqual([0, end, 0]);
    const top = offsets.indexOf(end);
    const [down, up] = [offsets.slice(0, top), offsets.slice(top)];
    expect(down).toEqual(down.toSorted((one, other) => one - other));
    expect(up).toEqual(up.toSorted((one, other) => other - one));
    // The steepest of the easings is five times as fast as linear; 16 steps and 15 delays take 5 s instead of 23.5.
    const fastest = 5 * (23_500 / 5000);
    for (const [frame, offset] of offsets.slice(1).entries()) {
      expect(Math.abs(offset - (offsets[frame] ?? 0))).toBeLessThanOrEqual(fastest * 16.7);
    }
  },
);

test("scroll scenario: hundreds of millions of tiny steps take no longer than a few", () => {
  const at = scrollScenario(
    { ...unhurried, by: 1, durationMs: 1, delayMs: 0, complete: true, back: "repeat" },
    { end: 5e8, lastFrameMs: 30_000 },
  );
  const offsets = Array.from({ length: 1801 }, (_, frame) => at((frame * 1000) / 60));
  expect(offsets[450]).toBeCloseTo(2.5e8, 0);
  expect(offsets[900]).toBeCloseTo(5e8, 0);
  expect(offsets[1350]).toBeCloseTo(2.5e8, 0);
  expect(offsets[1800]).toBe(0);
});

test("scroll scenario: steps without duration are jumps", () => {
  expect(positions({ durationMs: 0 }, 2000, [1, 499, 501])).toEqual([1000, 1000, 2000]);
  expect(positions({ durationMs: 0, delayMs: 0, back: "once" }, 2000, [0, 1])).toEqual([0, 0]);
});
