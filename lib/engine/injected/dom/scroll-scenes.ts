/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Scroll scenes: large fixed layers that scripts move, show and hide by the scroll position. The page scrolls only to play them.
import { isFixedToWindow } from "./fixed-position.ts";

/** Least size of a layer as a share of the window's, and how many looks of it make it a scene: a dialog has one or two. */
const MIN_SHARE = 0.25;
const MIN_LOOKS = 3;

const looks = new Map<Element, Set<string>>();

/** Notes how fixed elements look at the present scroll position. */
export function observeScenes(pinned: readonly Element[]): void {
  for (const element of pinned) {
    const { position, opacity, visibility, display } = getComputedStyle(element);
    if (position !== "fixed" || !isFixedToWindow(element)) continue;
    const { left, top, width, height } = element.getBoundingClientRect();
    const isLarge = width * height > MIN_SHARE * window.innerWidth * window.innerHeight;
    if (!isLarge && !looks.has(element)) continue;
    const look = [...[left, top, width, height].map(Math.round), opacity, visibility, display].join(" ");
    looks.set(element, (looks.get(element) ?? new Set()).add(look));
  }
}

/** True for a layer of a page that plays scenes: where one follows the scroll position, the others belong to it. */
export function isScene(element: Element): boolean {
  return looks.has(element) && hasScenes();
}

export function hasScenes(): boolean {
  return [...looks].some(([element, seen]) => element.isConnected && seen.size >= MIN_LOOKS);
}
