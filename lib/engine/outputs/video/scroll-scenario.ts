// Where a page is scrolled to at each moment of a video that goes through it. Pure.
import type { ScrollEasing } from "../../../options/groups/video.ts";
import { easings } from "./easing.ts";

/** How a video moves through a page. */
export interface Scrolling {
  /** CSS pixels of a step; the last one is shorter where they do not add up. */
  readonly by: number;
  readonly durationMs: number;
  /** Still after each step, and before the way back. */
  readonly delayMs: number;
  /** Still at the top before the first step. */
  readonly startDelayMs: number;
  readonly easing: ScrollEasing;
  /** Goes faster where it would take longer than the video. */
  readonly complete: boolean;
  /** The way back to the top: none, in one step, or in steps as on the way down. */
  readonly back: "none" | "once" | "repeat";
}

/** Of the video, as long as nothing else is known of the page than how far it can be scrolled. */
export interface ScrollBounds {
  /** Where it begins, in CSS pixels from the top. @default 0 */
  readonly start?: number;
  /** The largest offset, in CSS pixels; 0 where nothing can be scrolled. */
  readonly end: number;
  /** The moment that the last frame shows, in milliseconds from the first one. */
  readonly lastFrameMs: number;
}

/** Steps of the same pace in one direction. */
interface Leg {
  readonly startMs: number;
  readonly steps: number;
  /** Where it is after so many steps. */
  readonly after: (steps: number) => number;
}

/** Sums of times that are as good as reached: far below what a frame lasts, far above what rounding leaves. */
const ROUNDING_MS = 1e-6;

/**
 * The offset from the top, in CSS pixels, at each moment of a video in milliseconds. With `complete`, the last frame
 * shows exactly where it ends, and all durations and delays are shortened alike to get there.
 */
export function scrollScenario(
  scrolling: Scrolling,
  { start = 0, end, lastFrameMs }: ScrollBounds,
): (ms: number) => number {
  const { by, durationMs, delayMs, startDelayMs, complete, back } = scrolling;
  const ease = easings[scrolling.easing];
  const stepMs = durationMs + delayMs;
  const steps = Math.ceil(Math.max(0, end - start) / by);
  const down: Leg = { startMs: startDelayMs, steps, after: (count) => Math.min(end, start + count * by) };
  const up: Leg = {
    startMs: startDelayMs + steps * stepMs,
    steps: { none: 0, once: 1, repeat: Math.ceil(end / by) }[back],
    after: back === "once" ? (count) => (count > 0 ? 0 : end) : (count) => Math.max(0, end - count * by),
  };
  const last = back === "none" ? down : up;
  const totalMs = last.startMs + last.steps * stepMs - delayMs;
  const pace = complete && totalMs > lastFrameMs ? totalMs / lastFrameMs : 1;

  const positionIn = ({ startMs, steps, after }: Leg, ms: number) => {
    const step = Math.min(steps - 1, Math.floor((ms - startMs) / stepMs));
    const stepped = ms - startMs - step * stepMs;
    const [from, to] = [after(step), after(step + 1)];
    return stepped >= durationMs ? to : from + (to - from) * ease(stepped / durationMs);
  };

  return (videoMs) => {
    if (end <= 0) return 0;
    const isLastFrame = videoMs > lastFrameMs - ROUNDING_MS;
    const ms = videoMs * pace;
    if (ms > totalMs - ROUNDING_MS || (complete && isLastFrame)) return last.after(last.steps);
    if (ms <= startDelayMs) return start;
    return positionIn(ms < up.startMs || back === "none" ? down : up, ms);
  };
}
