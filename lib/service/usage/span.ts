// Locates a page among time spans with capture counts (offset pagination by counters). Spans are newest first, like the
// list.
import { utcMonth } from "./day.ts";

export interface TimeSpan {
  /** Milliseconds since 1970; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Captures that match the list's filter. */
  readonly matches: number;
  /** Captures that do not match, which a read of the span returns for nothing. May be an estimate. */
  readonly others: number;
}

/** Number of matches to skip and to take, newest first. */
export interface PageSlice {
  readonly skip: number;
  readonly take: number;
}

/** A span with the part of the page that lies in it. */
export type SpanSlice<T extends TimeSpan = TimeSpan> = T & PageSlice;

/** A time range to read with one query; it lies within one month's partition. */
export type ReadRange = Pick<TimeSpan, "from" | "to"> & PageSlice;

/** Distributes the matches to skip and to take over the spans. */
export function slicePerSpan<T extends TimeSpan>(spans: readonly T[], { skip, take }: PageSlice): SpanSlice<T>[] {
  let toSkip = skip;
  let toTake = take;
  return spans.map((span) => {
    const skipped = Math.min(toSkip, span.matches);
    const taken = Math.min(toTake, span.matches - skipped);
    toSkip -= skipped;
    toTake -= taken;
    return { ...span, skip: skipped, take: taken };
  });
}

/** Returns the number of matches in all spans. */
export function countMatches(spans: readonly TimeSpan[]): number {
  return spans.reduce((total, { matches }) => total + matches, 0);
}

/**
 * Returns how many captures a read of the span returns for nothing. An unfiltered list stops reading at the end of its
 * slice.
 */
export function countUnneededReads({ matches, others, skip, take }: SpanSlice, isFiltered: boolean): number {
  return isFiltered ? matches - take + others : skip;
}

/** Reading this many unneeded captures costs about as much as another query. */
const MAX_UNNEEDED_READS = 8;

/** Returns the ranges to read, joined when few captures lie between them. */
export function toReadRanges(slices: readonly SpanSlice[]): ReadRange[] {
  const joined: ReadRange[] = [];
  let between = 0;
  for (const { from, to, skip, take, matches, others } of slices) {
    if (take === 0) {
      between += matches + others;
      continue;
    }
    const newer = joined.at(-1);
    if (newer && between <= MAX_UNNEEDED_READS && utcMonth(newer.from) === utcMonth(from)) {
      joined[joined.length - 1] = { ...newer, from, take: newer.take + take };
    } else {
      joined.push({ from, to, skip, take });
    }
    between = 0;
  }
  return joined;
}
