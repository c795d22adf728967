// Frame grid: images that come at any time become the frames of a video.
import { describe, expect, test } from "vitest";
import { FrameGrid } from "../../../../lib/engine/formats/video/frame-grid.ts";

type Painted = readonly [ms: number, picture: string];

/** A grid of ten frames, 100 ms each, with pictures in it. */
function gridOf(painted: readonly Painted[], { count = 10, fps = 10, maxLength = 1000 } = {}): FrameGrid {
  const grid = new FrameGrid({ count, fps, maxLength });
  for (const [ms, picture] of painted) grid.put(ms, picture);
  return grid;
}

const taken = (grid: FrameGrid, frames = 10) => Array.from({ length: frames }, (_, frame) => grid.take(frame) ?? "");

test("frame grid: a frame shows the newest image painted at or before its time", () => {
  const grid = gridOf([
    [0, "a"],
    [110, "b"],
    [150, "c"],
    [200, "d"],
    [201, "e"],
  ]);
  expect(taken(grid, 4)).toEqual(["a", "", "d", "e"]);
});

test("frame grid: the first frame shows an image painted before it", () => {
  expect(
    taken(
      gridOf([
        [-300, "a"],
        [-20, "b"],
      ]),
      2,
    ),
  ).toEqual(["b", ""]);
});

test("frame grid: times that are not round numbers are exact", () => {
  const painted = Array.from({ length: 30 }, (_, frame): Painted => [(frame * 1000) / 30, `${frame}`]);
  const grid = gridOf(painted, { count: 30, fps: 30 });
  expect(taken(grid, 30)).toEqual(painted.map(([, picture]) => picture));
});

test("frame grid: an image painted after the last frame is not shown", () => {
  expect(
    taken(
      gridOf([
        [0, "a"],
        [901, "b"],
        [5000, "c"],
      ]),
    ),
  ).toEqual(["a", ...Array(9).fill("")]);
});

describe("frame grid: an image that comes late", () => {
  test("is shown by the next frame when its own has been taken", () => {
    const grid = gridOf([[0, "a"]]);
    const before = [grid.take(0), grid.take(1), grid.take(2)];
    grid.put(150, "b");
    expect([...before, grid.take(3)]).toEqual(["a", undefined, undefined, "b"]);
  });

  test("is dropped when a newer one is there", () => {
    const grid = gridOf([
      [250, "b"],
      [150, "a"],
    ]);
    expect(taken(grid, 4)).toEqual(["", "", "", "b"]);
  });
});

describe("frame grid: above the limit", () => {
  test("images are thinned out, and the newest one stays", () => {
    const painted = Array.from({ length: 10 }, (_, frame): Painted => [frame * 100, `${frame}`]);
    expect(taken(gridOf(painted, { maxLength: 3 }))).toEqual(["0", "1", "", "", "", "", "", "", "", "9"]);
  });

  test("images are stored again once others are taken", () => {
    const grid = gridOf(
      [
        [0, "a"],
        [100, "b"],
        [200, "c"],
      ],
      { maxLength: 3 },
    );
    const first = [grid.take(0), grid.take(1), grid.take(2)];
    grid.put(300, "d");
    grid.put(400, "e");
    expect([...first, grid.take(3), grid.take(4)]).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("the only image stays", () => {
    const painted: Painted[] = [
      [0, "first"],
      [100, "second"],
      [200, "third"],
    ];
    expect(taken(gridOf(painted, { maxLength: 1 }), 3)).toEqual(["first", "", "third"]);
  });
});
