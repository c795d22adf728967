// The ticks of an axis of counts.

/** At most this many above zero. */
const MAX_TICKS = 4;

/** The distance of ticks up to a highest count: 1, 2, or 5 times a power of ten, and never less than 1. */
export function tickStep(highest: number): number {
  const least = Math.max(1, highest / MAX_TICKS);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
