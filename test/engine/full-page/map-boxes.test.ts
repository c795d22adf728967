// Where the boxes of elements are in a stitched picture.
import { describe, expect, test } from "vitest";
import { mapBox, type PictureLayout } from "../../../lib/engine/full-page/map-boxes.ts";

const box = (y: number, x = 10) => ({ x, y, width: 20, height: 10 });

const PAGE: PictureLayout = {
  columns: [
    {
      x: 0,
      y: 0,
      width: 400,
      height: 300,
      pieces: [
        { from: 0, to: 200, shift: 0 },
        { from: 200, to: 900, shift: 0 },
      ],
    },
  ],
  isPage: true,
  grown: 600,
  feet: [{ top: 260, bottom: 300, by: 600 }],
};

const PANES: PictureLayout = {
  columns: [{ x: 100, y: 50, width: 300, height: 200, pieces: [{ from: 50, to: 850, shift: 0 }] }],
  isPage: false,
  grown: 600,
  feet: [],
};

describe("in a page that scrolls itself", () => {
  test("a box stays where the page has it", () => {
    expect(mapBox(PAGE, box(450), {})).toEqual(box(450));
  });

  test("a box in the rows of a foot stays there unless it is fixed", () => {
    expect(mapBox(PAGE, box(270), {})).toEqual(box(270));
    expect(mapBox(PAGE, box(270), { isFixed: true })).toEqual(box(870));
  });

  test("a fixed box that is no foot stays where the first window shows it", () => {
    expect(mapBox(PAGE, box(5), { isFixed: true })).toEqual(box(5));
  });

  test("a box in content that moved up by itself is where the window shows it that it was visited in", () => {
    const pieces = [
      { from: 0, to: 200, shift: 0 },
      { from: 200, to: 900, shift: 80 },
    ];
    const moved = { ...PAGE, columns: PAGE.columns.map((column) => ({ ...column, pieces })) };
    expect(mapBox(moved, box(100), {})).toEqual(box(100));
    expect(mapBox(moved, box(400), {})).toEqual(box(480));
  });
});

describe("in a page whose panes scroll in its place", () => {
  test("a box in a pane is as far down in the picture as in the pane", () => {
    expect(mapBox(PANES, box(700, 150), { isInPane: true })).toEqual(box(700, 150));
  });

  test("a box above or next to the pane stays, one below it is moved down", () => {
    expect(mapBox(PANES, box(10), {})).toEqual(box(10));
    expect(mapBox(PANES, box(120), {})).toEqual(box(120));
    expect(mapBox(PANES, box(260), {})).toEqual(box(860));
  });

  test("a box beyond the end of the picture stays as far down as it is", () => {
    expect(mapBox(PANES, box(2_000, 150), { isInPane: true })).toEqual(box(2_000, 150));
  });
});
