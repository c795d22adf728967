// Where panes that grow are in the picture of a full page.
import { expect, test } from "vitest";
import { layOutPanes } from "../../../lib/engine/full-page/pane-layout.ts";

const WINDOW = { width: 100, height: 60 };

test("panes next to each other: the taller one says by how much the picture grows", () => {
  const boxes = [
    { x: 0, y: 10, width: 40, height: 50, growth: 200 },
    { x: 40, y: 0, width: 60, height: 60, growth: 30 },
  ];
  const { shifts, growth, around } = layOutPanes(boxes, WINDOW);
  expect([shifts, growth]).toEqual([[0, 0], 200]);
  expect(around).toContainEqual({ x: 0, width: 40, from: 0, to: 10, sourceRow: 0 });
  expect(around).toContainEqual({ x: 40, width: 60, from: 90, to: 260, sourceRow: 0, filledLike: 1 });
});

test("panes below each other: the lower one moves down by what the upper one grows, and a bar below both by the sum", () => {
  const boxes = [
    { x: 0, y: 0, width: 100, height: 20, growth: 100 },
    { x: 0, y: 25, width: 100, height: 25, growth: 40 },
  ];
  const { shifts, growth, around } = layOutPanes(boxes, WINDOW);
  expect([shifts, growth]).toEqual([[0, 100], 140]);
  expect(around).toEqual([
    { x: 0, width: 100, from: 120, to: 125, sourceRow: 20 },
    { x: 0, width: 100, from: 190, to: 200, sourceRow: 50 },
  ]);
});

test("what is below a pane stands at the end of the panes next to it", () => {
  const boxes = [
    { x: 0, y: 0, width: 50, height: 50, growth: 10 },
    { x: 50, y: 0, width: 50, height: 60, growth: 80 },
  ];
  const { around } = layOutPanes(boxes, WINDOW);
  expect(around).toEqual([
    { x: 0, width: 50, from: 60, to: 130, sourceRow: 0, filledLike: 0 },
    { x: 0, width: 50, from: 130, to: 140, sourceRow: 50 },
  ]);
});

test("a side bar that does not scroll is stretched below the row that is asked for", () => {
  const boxes = [{ x: 30, y: 0, width: 70, height: 60, growth: 40 }];
  const { around } = layOutPanes(boxes, { ...WINDOW, stretchRow: () => 50 });
  expect(around).toEqual([
    { x: 0, width: 30, from: 0, to: 50, sourceRow: 0 },
    { x: 0, width: 30, from: 50, to: 90, sourceRow: 49, isRepeated: true },
    { x: 0, width: 30, from: 90, to: 100, sourceRow: 50 },
  ]);
});
