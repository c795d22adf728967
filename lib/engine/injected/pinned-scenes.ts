/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Pinned scenes in a picture of the whole page: a scene stays in the window while the page scrolls through the empty space below
// it. That space is removed, so that the scene stands in the picture once.
import type { Area } from "../geometry/area.ts";
import { Journal } from "./changes/journal.ts";
import { type Box, type LayoutSnapshot, takeSnapshot } from "./changes/layout-snapshot.ts";
import { attempt, isNear, type MeasuredChange } from "./changes/measured-change.ts";
import { colourAlpha } from "./dom/appearance.ts";
import { isFixedToWindow } from "./dom/fixed-position.ts";
import { observePinned, pinnedElements } from "./dom/pinned-elements.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";
import { contains, parentElement } from "./dom/tree.ts";

/** Least height of the space in which a scene plays, in windows. */
const MIN_SPACE = 0.5;

interface Scene {
  readonly element: Element;
  /** The element that has the space below the scene. */
  readonly holder: Element;
  /** Where the scene begins on the page, where the space ends, and how tall it is: in CSS pixels. */
  readonly top: number;
  readonly end: number;
  readonly space: number;
  /** The scroll offset in the middle of the scene. */
  readonly middle: number;
}

/** A scene for which space was removed, in CSS pixels of the page before. */
export interface PinnedScene {
  readonly top: number;
  readonly end: number;
  readonly space: number;
  readonly middle: number;
}

let scenes: readonly Scene[] = [];
let collapsed: Journal[] = [];
let hiding = new Journal();

/** Notes which elements are pinned at the present scroll position, where `describeView` does not. */
export function recordPinned(): void {
  observePinned(
    queryAllRoots<Element>("*").filter((element) => /fixed|sticky/.test(getComputedStyle(element).position)),
  );
}

/** Finds the pinned scenes that have nothing but empty space below them. The page must be at its top. */
export function findPinnedScenes(): PinnedScene[] {
  for (const journal of collapsed.reverse()) journal.revert(); // for a picture that is taken again
  collapsed = [];
  const pinned = pinnedElements();
  if (pinned.size === 0) return [];
  const layout = takeSnapshot();
  scenes = [...pinned].flatMap(([element, inset]) => measureScene(element, inset, layout) ?? []);
  return scenes.map(({ top, end, space, middle }) => ({ top, end, space, middle }));
}

function measureScene(element: Element, inset: number, layout: LayoutSnapshot): Scene | undefined {
  const [holder, box] = [parentElement(element), layout.boxes.get(element)];
  if (!holder || !box || isInScroller(element)) return undefined;
  const around = holder.getBoundingClientRect();
  const bottom = box.top + box.height;
  // A script that fixes the scene makes room for its way by padding, a sheet makes its container taller.
  const { borderBottomWidth } = getComputedStyle(holder);
  const end = around.bottom + window.scrollY - Number.parseFloat(borderBottomWidth);
  const space = Math.floor(end - bottom);
  if (space < MIN_SPACE * window.innerHeight) return undefined;
  const region = { left: around.left, top: bottom + 1, width: around.width, height: space - 2 };
  for (const [other, each] of layout.boxes) {
    if (contains(element, other) || contains(other, holder) || each.seen === 0 || !isOver(each, region)) continue;
    if (each.hasContent || isPainted(other)) return undefined;
  }
  return { element, holder, top: box.top, end, space, middle: Math.max(0, box.top - inset + space / 2) };
}

/** True for an element that something else than the window scrolls, or could scroll. */
function isInScroller(element: Element): boolean {
  for (let each = parentElement(element); each && each.localName !== "body"; each = parentElement(each)) {
    const { overflowX, overflowY } = getComputedStyle(each);
    if ([overflowX, overflowY].some((overflow) => /auto|scroll|hidden/.test(overflow))) return true;
  }
  return false;
}

function isOver(one: Pick<Box, "left" | "top" | "width" | "height">, other: typeof one): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}

function isPainted(element: Element): boolean {
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  return backgroundImage !== "none" || colourAlpha(backgroundColor) > 0;
}

/** What the window shows of a scene. */
export interface ShownScene {
  /** In CSS pixels of the page. */
  readonly area: Area;
  /** Where the area begins in the scene. */
  readonly offset: { readonly x: number; readonly y: number };
}

/**
 * Hides what is fixed to the window or sticks to it, but for a scene and what is in it, and returns what the window shows of the
 * scene; null when it shows nothing of it.
 */
export function showSceneAlone(number: number): ShownScene | null {
  const scene = scenes[number];
  if (!scene) return null;
  for (const element of queryAllRoots<Element>("*")) {
    const { position } = getComputedStyle(element);
    const isPinned = position === "fixed" ? isFixedToWindow(element) : position === "sticky";
    if (!isPinned || contains(scene.element, element) || contains(element, scene.element)) continue;
    hiding.setStyle(element, { transition: "none", animation: "none", opacity: "0" });
  }
  const { left, top, right, bottom } = scene.element.getBoundingClientRect();
  const [x, y] = [Math.max(0, left), Math.max(0, top)];
  const [width, height] = [Math.min(right, window.innerWidth) - x, Math.min(bottom, window.innerHeight) - y];
  if (width <= 0 || height <= 0) return null;
  return { area: { x: x + window.scrollX, y: y + window.scrollY, width, height }, offset: { x: x - left, y: y - top } };
}

/** Shows again what `showSceneAlone` has hidden. */
export function showAll(): void {
  hiding.revert();
  hiding = new Journal();
}

/** Removes the space below each scene. Returns the numbers of those for which that did no harm. */
export function collapseScenes(): number[] {
  return scenes.flatMap((scene, number) => {
    const { journal, harm } = attempt(collapse(scene));
    if (harm) return [];
    collapsed.push(journal);
    return [number];
  });
}

function collapse({ element, holder, space }: Scene): MeasuredChange {
  const shrunk = new Set<Element>();
  return {
    apply: (journal) => {
      for (let each: Element | null = holder; each; each = parentElement(each)) shrunk.add(each);
      shrink([...shrunk], space, journal);
    },
    hasWorked: (after, before) => isNear(before.height - after.height, space),
    explains: ({ element: moved, before, after }) => {
      const isSameWide = isNear(before.left, after.left) && isNear(before.width, after.width);
      if (contains(element, moved)) return false;
      const [up, shorter] = [before.top - after.top, before.height - after.height];
      return isSameWide && up >= -1 && up <= space + 1 && (shrunk.has(moved) ? shorter >= -1 : isNear(shorter, 0));
    },
    mayGrowPage: false,
  };
}

/** Makes elements, from the inside out, shorter, as far as they do not become so by what is in them. */
function shrink(elements: readonly Element[], space: number, journal: Journal): void {
  const heights = elements.map((element) => element.getBoundingClientRect().height);
  for (const [index, element] of elements.entries()) {
    const height = heights[index] ?? 0;
    const target = height - space;
    const isShorter = index > 0 && isNear(element.getBoundingClientRect().height, target);
    if (isShorter || target < 0 || /^(body|html)$/.test(element.localName)) continue;
    const { paddingBottom } = getComputedStyle(element);
    const padding = Math.max(0, Number.parseFloat(paddingBottom) - space);
    const size = { "box-sizing": "border-box", height: `${target / element.currentCSSZoom}px`, "min-height": "0" };
    journal.setStyle(element, { transition: "none", ...size, "padding-bottom": `${padding}px` });
  }
}

/** Where the scenes are on the page now, in CSS pixels. */
export function sceneAreas(): Area[] {
  return scenes.map(({ element }) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + window.scrollX, y: y + window.scrollY, width, height };
  });
}
