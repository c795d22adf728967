// Lists with a partition for each UTC month, read page by page, newest first: the audit log, and the events for the operator.
import { partitionPages, type TableItem } from "../aws/partition-pages.ts";
import { monthsBetween, utcMonth } from "../usage/day.ts";

export interface MonthlyList {
  readonly table: string;
  /** The partition of a month, which is written `2026-01`. */
  readonly partition: (month: string) => string;
  /** The time of the oldest item that there can be, in milliseconds since 1970. */
  readonly first: number;
}

export interface MonthlyRange {
  /** Sort key of the item that precedes the first one. @default the newest item is the first one */
  readonly before?: string | undefined;
  /** Time of that item, or now, in milliseconds since 1970. */
  readonly newest: number;
  /** Maximum of items of a page. */
  readonly pageSize: number;
}

/** Yields the items, newest first. No page is empty. */
export async function* monthlyPages(
  { table, partition, first }: MonthlyList,
  { before, newest, pageSize }: MonthlyRange,
): AsyncGenerator<readonly TableItem[]> {
  for (const month of monthsBetween(first, newest)) {
    const isFirst = before !== undefined && month === utcMonth(newest);
    const pages = partitionPages({ table, partition: partition(month) }, { pageSize, ...(isFirst && { before }) });
    for await (const { items } of pages) if (items.length > 0) yield items;
  }
}

/** Reads the first items of a range; `hasMore` says whether others follow. */
export async function readMonthlyPage(
  list: MonthlyList,
  range: MonthlyRange,
): Promise<{ readonly items: readonly TableItem[]; readonly hasMore: boolean }> {
  const items: TableItem[] = [];
  for await (const page of monthlyPages(list, { ...range, pageSize: range.pageSize + 1 })) {
    items.push(...page);
    if (items.length > range.pageSize) break;
  }
  return { items: items.slice(0, range.pageSize), hasMore: items.length > range.pageSize };
}
