// Scenes stay in the window while the page scrolls through the space in which they play. Finds them in the windows of a visit, and takes
// the space out of the picture. Knows nothing of pages: windows, pins and items alone.
import type { Item } from "./items.page.ts";
import type { Pin } from "./pinned.page.ts";

/** `stages` shows a scene at each further window height, `once` as it looks halfway, and `as_is` at its start. */
export type ScenesShown = "stages" | "once" | "as_is";

/** What of a window of a visit says where scenes are. Lengths are in CSS pixels. */
export interface SceneWindow {
  readonly offset: number;
  /** Where the window begins in the content. */
  readonly top: number;
  readonly pins: readonly Pin[];
  readonly items: readonly Item[];
}

/** A scene, or several that play at the same time. Lengths are in CSS pixels. */
export interface Scene {
  /** The offsets of the page at which the scene begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Its box in the window. */
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

const MAX_STAGES = 12;

/** Stages of a scene that fills the window may overlap by such a share of it. */
const OVERLAP = 0.15;

/** Windows whose offsets differ by less show the same. */
const SAME_OFFSET = 3;

/** A scene plays when it stays for so much of a window. */
const MIN_WAY = 0.4;

interface Extent {
  /** The largest offset of the page, how far its content has moved by itself, and the height of a window. */
  readonly limit: number;
  readonly shift: number;
  readonly view: number;
}

/** The scenes of the page, from top to bottom; those that play at the same time are one. */
export function findScenes(windows: readonly SceneWindow[], extent: Extent): Scene[] {
  const seen = new Map<number, { from: number; to: number; pin: Pin }>();
  for (const { offset, pins } of windows) {
    for (const pin of pins.filter(({ kind, isPinned }) => kind === "scene" && isPinned)) {
      const known = seen.get(pin.id) ?? { from: offset, to: offset, pin };
      seen.set(pin.id, { ...known, from: Math.min(known.from, offset), to: Math.max(known.to, offset) });
    }
  }
  const scenes = [...seen.values()]
    .filter(({ from, to }) => to - from >= MIN_WAY * extent.view)
    .map(({ from, to, pin }): Scene => {
      const { top, height, width } = pin;
      if (!pin.isPlaced) return { ...wholeWindows(from, to, extent), top, height, width };
      const start = Math.max(0, Math.round(pin.home - extent.shift - top));
      return { start, end: findEnd(windows, { to, pin }, extent), top, height, width };
    });
  return mergeOverlapping(scenes.filter(({ start, end }) => end > start));
}

/** Where a scene has no place on the page, its stages are whole windows from the top of the page on. */
function wholeWindows(from: number, to: number, { view, limit }: Extent): Pick<Scene, "start" | "end"> {
  const [first, last] = [Math.floor(from / view), Math.ceil(to / view)];
  return { start: Math.round(first * view), end: Math.min(Math.round(limit), Math.round(last * view)) };
}

/** The offset at which a scene moves with the page again. */
function findEnd(
  windows: readonly SceneWindow[],
  { to, pin }: { readonly to: number; readonly pin: Pin },
  { limit }: Extent,
): number {
  for (const { offset, pins } of windows.toSorted((one, other) => one.offset - other.offset)) {
    const after = offset > to ? pins.find(({ id, isPinned }) => id === pin.id && !isPinned) : undefined;
    if (after) return Math.round(offset + after.top - pin.top);
  }
  return Math.round(limit);
}

function mergeOverlapping(scenes: readonly Scene[]): Scene[] {
  const merged: Scene[] = [];
  for (const scene of scenes.toSorted((one, other) => one.start - other.start)) {
    const before = merged.at(-1);
    if (!before || scene.start >= before.end) {
      merged.push(scene);
      continue;
    }
    const [top, width] = [Math.min(before.top, scene.top), Math.max(before.width, scene.width)];
    const height = Math.max(before.top + before.height, scene.top + scene.height) - top;
    merged[merged.length - 1] = { start: before.start, end: Math.max(before.end, scene.end), top, height, width };
  }
  return merged;
}

/** The offsets at which a scene begins, has been scrolled through by a window, and ends. */
export function stagesOf({ start, end, height }: Scene, view: number): number[] {
  const overlap = height >= 0.9 * view ? OVERLAP : 0.02;
  const count = Math.min(MAX_STAGES, Math.max(1, Math.floor((end - start) / Math.min(view, height) + overlap)));
  return Array.from({ length: count + 1 }, (_, index) => Math.round(start + ((end - start) * index) / count));
}

/** Of the windows of a scene, only its stages, where these show all of its rows. */
export function keepStages<W extends SceneWindow>(
  windows: readonly W[],
  scene: Scene,
  view: number,
): (W & { readonly isStage?: boolean })[] {
  const stages = stagesOf(scene, view);
  const isAt = (stage: number) => (window: W) => Math.abs(window.offset - stage) < SAME_OFFSET;
  const isWhole = stages.every((stage, at) => stage - (stages[at - 1] ?? stage) <= view && windows.some(isAt(stage)));
  if (!isWhole) return [...windows];
  const within = windowsOf(windows, scene);
  return windows.flatMap((window) => {
    if (stages.some((stage) => isAt(stage)(window))) return [{ ...window, isStage: true }];
    return within.includes(window) ? [] : [window];
  });
}

export function middleOf({ start, end }: Scene): number {
  return Math.round((start + end) / 2);
}

/** The windows in which a scene stays. */
export function windowsOf<W extends SceneWindow>(windows: readonly W[], { start, end }: Scene): W[] {
  return windows.filter(({ offset }) => offset >= start - 1 && offset <= end + 1);
}

/** True where text or pictures move with the page next to or over a scene, so that the picture would lose them without its space. */
export function isPassed(windows: readonly SceneWindow[], scene: Scene): boolean {
  const within = windowsOf(windows, scene).toSorted((one, other) => one.offset - other.offset);
  return within.some((window, at) => {
    const before = within[at - 1];
    if (!before || window.offset - before.offset < 8) return false;
    const known = new Map(before.items.map((item) => [item.id, item]));
    return window.items.some((item) => {
      const then = known.get(item.id);
      if (!then || (item.kind !== "text" && item.kind !== "picture") || !isBeside(item, scene)) return false;
      return Math.abs(then.y - item.y - (window.offset - before.offset)) <= 2;
    });
  });
}

function isBeside({ y, height }: Item, scene: Scene): boolean {
  return y + height > scene.top + 2 && y < scene.top + scene.height - 2;
}

/** A scene that the picture shows once, and whether it looks the same all the time. */
export interface CollapsedScene {
  readonly scene: Scene;
  readonly isStill: boolean;
}

/**
 * Takes the space in which scenes play out of the picture: all that is below a scene moves up. Of its windows, only the one that is
 * closest to its middle remains, or, where it looks the same all the time, the first and the last, which show what is above and below it.
 * Returns how much of the height that is.
 */
export function collapseScenes<W extends SceneWindow>(
  windows: readonly W[],
  scenes: readonly CollapsedScene[],
): { readonly windows: readonly W[]; readonly removed: number } {
  let [left, removed] = [windows, 0];
  for (const { scene, isStill } of scenes) {
    const { start, end } = scene;
    const within = windowsOf(left, scene);
    const middle = middleOf(scene);
    const closest = within.toSorted((one, other) => distance(one, middle) - distance(other, middle)).slice(0, 1);
    const shown = isStill ? within.filter(({ offset }) => offset <= start + 1 || offset >= end - 1) : closest;
    if (shown.length === 0) continue;
    left = left.flatMap((window): W[] => {
      if (shown.includes(window)) return [{ ...window, top: window.top - (window.offset - start) }];
      if (within.includes(window)) return [];
      return [window.offset > end ? { ...window, top: window.top - (end - start) } : window];
    });
    removed += end - start;
  }
  return { windows: left, removed };
}

function distance({ offset }: SceneWindow, middle: number): number {
  return Math.abs(offset - middle);
}
