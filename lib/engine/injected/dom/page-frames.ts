/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Frames that fill the window of a document that does not scroll itself.
import { findInnerScrollers, isPaneBeside, MIN_SHARE, pageScroll } from "./scrollers.ts";
import { queryAll, type Root } from "./shadow-roots.ts";
import { contains } from "./tree.ts";

let found: Element[] = [];

/** Like `findFrameElements`, and the same frames later, when the document scrolls because they have grown. */
export function knownPageFrames(roots: readonly Root[]): Element[] {
  found = found.filter((frame) => frame.isConnected);
  if (found.length === 0) found = findFrameElements(roots);
  return found;
}

/** Tall frames next to or below each other that fill much of the window together, the largest first; none when the document scrolls. */
export function findFrameElements(roots: readonly Root[]): Element[] {
  if (pageScroll() > 0) return [];
  const all = roots.flatMap((root) => [...queryAll(root, "iframe, frame")]);
  if (all.length === 0) return [];
  const frames: Element[] = [];
  const area = ({ clientWidth, clientHeight }: Element) => clientWidth * clientHeight;
  for (const frame of all.sort((one, other) => area(other) - area(one)))
    if (isPaneBeside(frame, frames) || isPaneOfFrameset(frame)) frames.push(frame);
  const total = frames.reduce((sum, frame) => sum + area(frame), 0);
  if (total <= MIN_SHARE * window.innerWidth * window.innerHeight) return [];
  const scrollers = findInnerScrollers(roots);
  return frames.filter((frame) => !scrollers.some((scroller) => contains(scroller, frame)));
}

/** Least height of a pane of a frameset, which never overlaps others, in CSS pixels. */
const MIN_FRAME_HEIGHT = 100;

function isPaneOfFrameset(frame: Element): boolean {
  return (
    frame.localName === "frame" && frame.clientHeight >= MIN_FRAME_HEIGHT && frame.getAttribute("scrolling") !== "no"
  );
}
