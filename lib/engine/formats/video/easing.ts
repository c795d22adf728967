// Easing functions: Robert Penner's powers of time.
import type { ScrollEasing } from "../../../contract/options/groups/video.ts";

/** Maps the elapsed share of time `t` to the share of the distance; both from 0 to 1, exact at both ends. */
export const easings: Readonly<Record<ScrollEasing, (t: number) => number>> = {
  linear: (t) => t,
  ease_in_quad: easeIn(2),
  ease_out_quad: easeOut(2),
  ease_in_out_quad: easeInOut(2),
  ease_in_cubic: easeIn(3),
  ease_out_cubic: easeOut(3),
  ease_in_out_cubic: easeInOut(3),
  ease_in_quart: easeIn(4),
  ease_out_quart: easeOut(4),
  ease_in_out_quart: easeInOut(4),
  ease_in_quint: easeIn(5),
  ease_out_quint: easeOut(5),
  ease_in_out_quint: easeInOut(5),
};

function easeIn(power: number): (t: number) => number {
  return (t) => t ** power;
}

function easeOut(power: number): (t: number) => number {
  return (t) => 1 - (1 - t) ** power;
}

function easeInOut(power: number): (t: number) => number {
  return (t) => (t < 0.5 ? (2 * t) ** power / 2 : 1 - (2 - 2 * t) ** power / 2);
}
