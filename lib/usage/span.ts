// Spans of time with the number of captures in them, and where a page of the list lies among them. Spans are in the order
// of the list: newest first.
import { utcMonth } from "./day.ts";

export interface TimeSpan {
  /** Milliseconds since 1970; `to` is the first that is not part of the span. */
  readonly from: number;
  readonly to: number;
  /** Captures that the filter of the list lets through. */
  readonly matches: number;
  /** Captures that it does not, which a look into the span reads in vain. It may be an estimate. */
  readonly others: number;
}

/** How many matches to skip and how many to take, newest first. */
export interface PageSlice {
  readonly skip: number;
  readonly take: number;
}

/** A span with its portion of a page. */
export type SpanSlice<T extends TimeSpan = TimeSpan> = T & PageSlice;

/** A range of time to read at once: it lies within one month. */
export type ReadRange = Pick<TimeSpan, "from" | "to"> & PageSlice;

/** Divides what is to be skipped and taken among all of the spans. */
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

/** The captures that the filter lets through in all of the spans. */
export function countMatches(spans: readonly TimeSpan[]): number {
  return spans.reduce((total, { matches }) => total + matches, 0);
}

/** How many captures a look into a span reads for nothing: a list without a filter stops as soon as it has its share. */
export function countUnneededReads({ matches, others, skip, take }: SpanSlice, isFiltered: boolean): number {
  return isFiltered ? matches - take + others : skip;
}

/** Reading this many captures in vain costs about as much as asking once more. */
const WORTH_ASKING = 8;

/** The ranges from which something is to be taken, joined where little or nothing lies between them. */
export function toReadRanges(shares: readonly SpanSlice[]): ReadRange[] {
  const joined: ReadRange[] = [];
  let between = 0;
  for (const { from, to, skip, take, matches, others } of shares) {
    if (take === 0) {
      between += matches + others;
      continue;
    }
    const newer = joined.at(-1);
    if (newer && between <= WORTH_ASKING && utcMonth(newer.from) === utcMonth(from)) {
      joined[joined.length - 1] = { ...newer, from, take: newer.take + take };
    } else {
      joined.push({ from, to, skip, take });
    }
    between = 0;
  }
  return joined;
}
