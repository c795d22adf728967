/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Frames that fill the window of a document that does not scroll itself.
import { findInnerScrollers, isPaneBeside, MIN_SHARE, pageScroll } from "./scrollers.ts";
import { queryAll, type Root } from "./shadow-roots.ts";
import { contains } from "./tree.ts";

/** Frames as tall as most of the window, side by side, that fill most of it together; none when the document itself scrolls. */
export function findPageFrames(roots: readonly Root[]): Element[] {
  if (pageScroll() > 0) return [];
  const all = roots.flatMap((root) => [...queryAll(root, "iframe, frame")]);
  if (all.length === 0) return [];
  const frames: Element[] = [];
  for (const frame of all) if (isPaneBeside(frame, frames)) frames.push(frame);
  const area = frames.reduce((sum, { clientWidth, clientHeight }) => sum + clientWidth * clientHeight, 0);
  if (area <= MIN_SHARE * window.innerWidth * window.innerHeight) return [];
  const scrollers = findInnerScrollers(roots);
  return frames.filter((frame) => !scrollers.some((scroller) => contains(scroller, frame)));
}
