/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Brings animations and transitions to their end, and holds endless ones.
import { animationsIn } from "./dom/animations.ts";
import { delay } from "./dom/document.ts";
import { rootsWithFrames } from "./dom/shadow-roots.ts";
import { isFixedOrSticky } from "./dom/visible-box.ts";
import { holdEndless } from "./endless-animations.ts";

/** Rounds in which animations are finished that began when others ended; a page can go on forever. */
const MAX_ROUNDS = 5;

/**
 * Finishes animations and transitions that have an end, and holds endless ones where they are. The page's end events fire
 * as if time had passed, and animations that begin then are finished too. With `areScrollDrivenHeld`, those that the
 * scroll position drives are held, see `holdScrollDriven`; else they follow it.
 */
export async function finishAnimations(areScrollDrivenHeld: boolean): Promise<void> {
  const roots = rootsWithFrames();
  for (const animation of areScrollDrivenHeld ? roots.flatMap(animationsIn) : []) holdScrollDriven(animation);
  const seen = new Set<Animation>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Time does not drive an animation that follows the scroll position.
    const running = roots.flatMap(animationsIn).filter((animation) => {
      return String(animation.timeline) === "[object DocumentTimeline]" && !seen.has(animation);
    });
    if (running.length === 0) return;
    for (const animation of running) {
      seen.add(animation);
      if (hasEnd(animation)) finish(animation);
    }
    holdEndless(running.filter((animation) => !hasEnd(animation)));
    const frame = new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.race([frame, delay(50)]);
  }
}

function hasEnd({ effect, playbackRate }: Animation): boolean {
  return Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0)) && playbackRate !== 0;
}

function finish(animation: Animation): void {
  try {
    animation.finish();
  } catch {
    // It has no beginning at which it could end, because it runs backwards from infinity.
  }
}

/**
 * Holds an animation with a view or scroll timeline at the progress it has when its element is in the middle of its
 * scroller, which must be at its top. An animation that is further, or whose element stays in the window while the page
 * scrolls, such as a reading progress bar, is held as it is.
 */
function holdScrollDriven(animation: Animation): void {
  const kind = Object.prototype.toString.call(animation.timeline);
  const isView = kind === "[object ViewTimeline]";
  if (!isView && kind !== "[object ScrollTimeline]") return;
  const timeline = animation.timeline as AnimationTimeline & { readonly source: Element | null; readonly axis: string };
  const percent = (time: unknown) => (time instanceof CSSUnitValue && time.unit === "percent" ? time.value : undefined);
  const now = percent(timeline.currentTime);
  const start = percent(animation.startTime);
  if (now === undefined || start === undefined) return;
  const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
  const isVertical = timeline.axis === "block" || timeline.axis === "y";
  let held = now;
  if (isView) held = Math.max(now, 50);
  else if (isVertical && timeline.source && !isFixedOrSticky(target)) {
    held = Math.max(now, 100 * progressInMiddle(target, timeline.source));
  }
  animation.pause();
  animation.currentTime = CSS.percent(held - start);
}

/** The scroll progress of `source`, 0 to 1, at which the target is in its middle. */
function progressInMiddle(target: Element | null, source: Element): number {
  const isPage = source === document.scrollingElement;
  const height = isPage ? window.innerHeight : source.clientHeight;
  const from = isPage ? 0 : source.getBoundingClientRect().top;
  const box = target?.getBoundingClientRect() ?? { top: 0, height: 0 };
  const middle = box.top - from + source.scrollTop + box.height / 2;
  const scrollable = source.scrollHeight - height;
  return scrollable <= 0 ? 0 : Math.max(0, Math.min(1, (middle - height / 2) / scrollable));
}
