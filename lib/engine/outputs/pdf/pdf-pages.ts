// Which pages of a document are printed, so that one of a hundred thousand is not.
import { type PageRange, parsePageRanges } from "../../../options/values/page-ranges.ts";

/**
 * The pages that are asked for, as Chromium reads ranges, but at most `most` of them: the first ones, since Chromium
 * prints them in the order of the document. Without ranges all pages are asked for. The ranges must be valid.
 */
export function selectPages(asked: string | undefined, most: number): string {
  const ranges = parsePageRanges(asked ?? "1-") ?? [];
  const kept: string[] = [];
  let left = most;
  let next = 1; // the first page that no range before has asked for
  for (const { first, last = Number.POSITIVE_INFINITY } of ranges.toSorted(byFirst)) {
    const begin = Math.max(first, next);
    const end = Math.min(last, begin + left - 1);
    if (end < begin) continue;
    kept.push(`${begin}-${end}`);
    left -= end - begin + 1;
    next = end + 1;
  }
  return kept.join(",");
}

function byFirst(one: PageRange, other: PageRange): number {
  return one.first - other.first;
}
