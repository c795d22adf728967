/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Scroll-driven animations of elements that a window shows whole: held as they are in the middle of the window, in all windows alike.
import { animationsIn } from "../injected/dom/animations.ts";
import { openRoots } from "../injected/dom/shadow-roots.ts";
import { isFixedOrSticky } from "../injected/dom/visible-box.ts";
import { record } from "./record.page.ts";

/** The progress of a view timeline when its subject is in the middle of its scroller, in per cent. */
const MIDDLE = 50;

interface ViewTimelineLike extends AnimationTimeline {
  readonly source: Element | null;
  readonly subject: Element | null;
  readonly axis: string;
}

/** Holds animations with a view timeline that follow the scroll position of the visit. Others, such as scenes, play with it. */
export function holdViewAnimations(): void {
  for (const animation of openRoots().flatMap(animationsIn)) hold(animation);
}

/** Lets these animations follow the scroll position again. */
export function releaseViewAnimations(): void {
  for (const animation of record.heldAnimations) animation.play();
  record.heldAnimations.clear();
}

function hold(animation: Animation): void {
  const { timeline, effect } = animation;
  if (record.heldAnimations.has(animation) || String(timeline) !== "[object ViewTimeline]") return;
  const { source, subject, axis } = timeline as ViewTimelineLike;
  const target = effect instanceof KeyframeEffect ? effect.target : null;
  const isOfVisit = record.panes.some((pane) => source === (pane ?? document.scrollingElement));
  if (!isOfVisit || !/^(block|y)$/.test(axis) || !subject || isFixedOrSticky(subject) || isFixedOrSticky(target))
    return;
  if (((subject as Partial<HTMLElement>).offsetHeight ?? 0) > innerHeight) return;
  const start = percent(animation.startTime);
  if (start === undefined) return;
  animation.pause();
  animation.currentTime = CSS.percent(MIDDLE - start);
  record.heldAnimations.add(animation);
}

function percent(time: unknown): number | undefined {
  return time instanceof CSSUnitValue && time.unit === "percent" ? time.value : undefined;
}
