// Scroll scenario: the scroll offset at each time of a video. Pure.
import type { ScrollEasing } from "../../../contract/options/groups/video.ts";
import { easings } from "./easing.ts";

/** How a video scrolls through a page. */
export interface Scrolling {
  /** Step in CSS pixels; the last one may be shorter. */
  readonly by: number;
  readonly durationMs: number;
  /** Pause after each step, and before scrolling back. */
  readonly delayMs: number;
  /** Pause at the top before the first step. */
  readonly startDelayMs: number;
  readonly easing: ScrollEasing;
  /** Speeds up if scrolling would take longer than the video. */
  readonly complete: boolean;
  /** Scrolls back to the top: not at all, in one step, or in steps as on the way down. */
  readonly back: "none" | "once" | "repeat";
}

/** Bounds of the scenario. */
export interface ScrollBounds {
  /** Offset at the start, in CSS pixels. @default 0 */
  readonly start?: number;
  /** Largest scroll offset in CSS pixels; 0 when the page cannot be scrolled. */
  readonly end: number;
  /** Time of the last frame, in milliseconds from the first one. */
  readonly lastFrameMs: number;
}

/** Consecutive steps in one direction. */
interface Leg {
  readonly startMs: number;
  readonly steps: number;
  /** Offset after a number of steps. */
  readonly after: (steps: number) => number;
}

/** Tolerance for sums of times: far below the duration of a frame, far above rounding errors. */
const ROUNDING_MS = 1e-6;

/**
 * Returns the scroll offset in CSS pixels by time in milliseconds. With `complete`, the last frame shows exactly the
 * end, and all durations and delays are shortened by the same factor if needed.
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
  const speed = complete && totalMs > lastFrameMs ? totalMs / lastFrameMs : 1;

  const positionIn = ({ startMs, steps, after }: Leg, ms: number) => {
    const step = Math.min(steps - 1, Math.floor((ms - startMs) / stepMs));
    const stepElapsedMs = ms - startMs - step * stepMs;
    const [from, to] = [after(step), after(step + 1)];
    return stepElapsedMs >= durationMs ? to : from + (to - from) * ease(stepElapsedMs / durationMs);
  };

  return (videoMs) => {
    if (end <= 0) return 0;
    const isLastFrame = videoMs > lastFrameMs - ROUNDING_MS;
    const ms = videoMs * speed;
    if (ms > totalMs - ROUNDING_MS || (complete && isLastFrame)) return last.after(last.steps);
    if (ms <= startDelayMs) return start;
    return positionIn(ms < up.startMs || back === "none" ? down : up, ms);
  };
}
