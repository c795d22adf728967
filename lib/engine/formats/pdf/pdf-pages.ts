// Limits the page ranges of a PDF, so that not all of a hundred thousand pages are printed.
import { type PageRange, parsePageRanges } from "../../../contract/options/values/page-ranges.ts";

/**
 * Returns the requested page ranges in Chromium's syntax, cut to the first `maxPages` pages, which is safe because
 * Chromium prints in document order. Without ranges all pages are requested. The ranges must be valid.
 */
export function selectPages(requested: string | undefined, maxPages: number): string {
  const ranges = parsePageRanges(requested ?? "1-") ?? [];
  const kept: string[] = [];
  let remaining = maxPages;
  let next = 1; // the first page that no earlier range includes
  for (const { first, last = Number.POSITIVE_INFINITY } of ranges.toSorted(byFirst)) {
    const start = Math.max(first, next);
    const end = Math.min(last, start + remaining - 1);
    if (end < start) continue;
    kept.push(`${start}-${end}`);
    remaining -= end - start + 1;
    next = end + 1;
  }
  return kept.join(",");
}

function byFirst(one: PageRange, other: PageRange): number {
  return one.first - other.first;
}
