// Registration: by how much content has moved by itself between two windows.
import { expect, test } from "vitest";
import type { Item } from "../../../lib/engine/full-page/items.page.ts";
import { findShift, outsideScenes } from "../../../lib/engine/full-page/registration.ts";

const lines = (count: number, yOf: (n: number) => number): Item[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `line ${n}`,
    kind: "text",
    x: 0,
    y: yOf(n),
    width: 300,
    height: 20,
  }));

const WINDOW = 600;

const before = { offset: 0, items: lines(20, (n) => 40 * n) };

test("registration: content that only scrolled has not moved", () => {
  expect(findShift(before, { offset: 300, items: lines(20, (n) => 40 * n - 300) }, WINDOW)).toBe(0);
});

test("registration: content below a header that became 60 pixels smaller has moved up by 60", () => {
  expect(findShift(before, { offset: 300, items: lines(20, (n) => 40 * n - 360) }, WINDOW)).toBe(60);
});

test("registration: what is pinned to the window says nothing", () => {
  const after = lines(20, (n) => (n < 5 ? 40 * n : 40 * n - 360));
  expect(findShift(before, { offset: 300, items: after }, WINDOW)).toBe(60);
});

test("registration: lines that move each by another distance, as in parallax, have no common shift", () => {
  expect(findShift(before, { offset: 300, items: lines(20, (n) => 40 * n - 300 - 10 * n) }, WINDOW)).toBe(0);
});

test("registration: a few lines do not tell", () => {
  const few = { offset: 0, items: lines(2, (n) => 40 * n) };
  expect(findShift(few, { offset: 300, items: lines(2, (n) => 40 * n - 360) }, WINDOW)).toBeUndefined();
});

test("registration: what a scene shows says nothing", () => {
  const scene = {
    id: 1,
    kind: "scene",
    isPinned: true,
    isPlaced: true,
    top: 0,
    height: 380,
    width: 400,
    home: 0,
  } as const;
  const items = lines(20, (n) => 40 * n);
  expect(outsideScenes(items, [scene])).toEqual(items.slice(10));
  expect(outsideScenes(items, [{ ...scene, kind: "once" }])).toEqual(items);
});
