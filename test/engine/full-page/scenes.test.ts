import { describe, expect, test } from "vitest";
import type { Item } from "../../../lib/engine/full-page/items.page.ts";
import type { Pin } from "../../../lib/engine/full-page/pinned.page.ts";
import {
  collapseScenes,
  findScenes,
  isPassed,
  keepStages,
  type Scene,
  type SceneWindow,
  stagesOf,
} from "../../../lib/engine/full-page/scenes.ts";

const VIEW = 1000;
const EXTENT = { limit: 9000, shift: 0, view: VIEW };

const pin = (changes: Partial<Pin>): Pin => ({
  id: 1,
  kind: "scene",
  isPinned: true,
  isPlaced: true,
  top: 0,
  height: VIEW,
  width: 800,
  home: 1200,
  ...changes,
});

const windowAt = (offset: number, pins: readonly Pin[] = [], items: readonly Item[] = []): SceneWindow => ({
  offset,
  top: offset,
  pins,
  items,
});

const sceneFrom = (start: number, end: number, changes: Partial<Scene> = {}): Scene => ({
  start,
  end,
  top: 0,
  height: VIEW,
  width: 800,
  ...changes,
});

/** A window each 500 pixels in which an element stays between two offsets. */
const windowsOf = (from: number, to: number, changes: Partial<Pin> = {}) =>
  Array.from({ length: 10 }, (_, n) => n * 500).map((offset) => {
    const isPinned = offset >= from && offset <= to;
    return windowAt(offset, [pin({ isPinned, top: isPinned ? 0 : Math.max(from - offset, to - offset), ...changes })]);
  });

describe("a scene", () => {
  test("begins where its place is, and ends where it moves with the page again", () => {
    expect(findScenes(windowsOf(1200, 3300), EXTENT)).toEqual([sceneFrom(1200, 3300)]);
  });

  test("ends with the page where it moves no more", () => {
    expect(findScenes(windowsOf(1200, 9000), EXTENT)).toEqual([sceneFrom(1200, 9000)]);
  });

  test("is none that stays for a small part of a window", () => {
    expect(findScenes(windowsOf(1200, 1600), EXTENT)).toEqual([]);
  });

  test("that has no place on the page is seen in whole windows from its top on", () => {
    const windows = [0, 500, 1500, 2500, 3500].map((offset) =>
      windowAt(offset, [pin({ isPlaced: false, home: 0, isPinned: offset > 400 && offset < 2600 })]),
    );
    expect(findScenes(windows, EXTENT)).toEqual([sceneFrom(0, 3000)]);
  });

  test("that begins while another one plays is one with it", () => {
    const windows = windowsOf(1200, 3300).map((window) => {
      const isPinned = window.offset >= 2000 && window.offset <= 4000;
      return { ...window, pins: [...window.pins, pin({ id: 2, home: 2000, isPinned, top: isPinned ? 0 : -500 })] };
    });
    const [scene, ...others] = findScenes(windows, EXTENT);
    expect(scene?.start).toBe(1200);
    expect(scene?.end).toBeGreaterThanOrEqual(4000);
    expect(others).toEqual([]);
  });
});

describe("the stages of a scene", () => {
  test("are each a window height further, from its start to its end", () => {
    expect(stagesOf(sceneFrom(1000, 4000), VIEW)).toEqual([1000, 2000, 3000, 4000]);
  });

  test("overlap by a little rather than leave a gap", () => {
    expect(stagesOf(sceneFrom(1000, 3900), VIEW)).toEqual([1000, 1967, 2933, 3900]);
  });

  test("are its own height apart where it is smaller than the window, and never overlap", () => {
    expect(stagesOf(sceneFrom(0, 1780, { height: 620 }), VIEW)).toEqual([0, 890, 1780]);
  });

  test("take the place of its other windows", () => {
    const windows = [0, 500, 1000, 1500, 2000, 2500, 3000].map((offset) => windowAt(offset));
    const kept = keepStages(windows, sceneFrom(1000, 2000), VIEW);
    expect(kept.map(({ offset, isStage = false }) => [offset, isStage])).toEqual([
      [0, false],
      [500, false],
      [1000, true],
      [2000, true],
      [2500, false],
      [3000, false],
    ]);
  });

  test("leave the other windows where one of them is missing", () => {
    const windows = [0, 500, 1500, 2000].map((offset) => windowAt(offset));
    expect(keepStages(windows, sceneFrom(1000, 2000), VIEW)).toEqual(windows);
  });
});

describe("a scene is passed", () => {
  const text = (y: number): Item => ({ id: "0 5 0 Text", kind: "text", x: 0, y, width: 100, height: 20 });
  const scene = sceneFrom(1000, 3000);

  test("by a text that moves with the page over it", () => {
    expect(isPassed([windowAt(1200, [], [text(700)]), windowAt(1700, [], [text(200)])], scene)).toBe(true);
  });

  test("by none that stays with it", () => {
    expect(isPassed([windowAt(1200, [], [text(500)]), windowAt(1700, [], [text(500)])], scene)).toBe(false);
  });
});

describe("the picture that shows a scene once", () => {
  const windows = [0, 500, 1000, 1500, 2000, 2500, 3000].map((offset) => windowAt(offset));

  test("has its middle window, and what is below it moves up", () => {
    const { windows: left, removed } = collapseScenes(windows, [{ scene: sceneFrom(1000, 2000), isStill: false }]);
    expect(removed).toBe(1000);
    expect(left.map(({ offset, top }) => [offset, top])).toEqual([
      [0, 0],
      [500, 500],
      [1500, 1000],
      [2500, 1500],
      [3000, 2000],
    ]);
  });

  test("has its first and last window where it looks the same all the time", () => {
    const { windows: left } = collapseScenes(windows, [{ scene: sceneFrom(1000, 2000), isStill: true }]);
    expect(left.map(({ offset, top }) => [offset, top])).toEqual([
      [0, 0],
      [500, 500],
      [1000, 1000],
      [2000, 1000],
      [2500, 1500],
      [3000, 2000],
    ]);
  });
});
