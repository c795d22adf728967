// What an export consists of: sections, each a few facts or the items of a partition, newest first. They are read page by page, from
// any position on, so that an export can go on where it stopped.
import type { Account } from "../account/account.ts";
import { readKeyRing } from "../account/account-store.ts";
import { type ItemRange, partitionPages, type TableItem } from "../aws/partition-pages.ts";
import {
  deliveriesPartition,
  jobKey,
  jobsPartition,
  logKey,
  logPartition,
  sessionsPartition,
} from "../aws/table-keys.ts";
import { createId } from "../platform/ids.ts";
import { listAutomaticReceivers, listReceivers } from "../receivers/receiver-store.ts";
import { fromLogItem } from "../usage/capture-log-item.ts";
import { captureRow, type RowView } from "../usage/capture-row.ts";
import { monthsBetween } from "../usage/day.ts";
import { exportHeader, exportLine } from "../usage/log-rows.ts";
import { type LogView, logRanges, matches } from "../usage/log-search.ts";
import type { ExportType, SearchFilter } from "../usage/usage-options.ts";
import type { ExportPosition } from "./data-export.ts";
import {
  type ExportedRecord,
  exportedCapture,
  exportedDelivery,
  exportedJob,
  exportedKey,
  exportedReceiver,
  exportedSession,
} from "./exported-records.ts";

/** Facts that are read at once, or the items of a range. */
type Section<Entry> =
  | {
      readonly read: () => Promise<readonly Entry[]>;
      /** True for what is no line of the export, but the header of its lines. */
      readonly isHeader?: boolean;
    }
  | {
      readonly range: ItemRange;
      /** Undefined for an item that is no part of the export. */
      readonly toEntry: (item: TableItem) => Entry | undefined;
      readonly isCaptures?: boolean;
      /** @default true */
      readonly isConsistent?: boolean;
    };

/** Some entries of an export. */
export interface ExportPage<Entry> {
  readonly entries: readonly Entry[];
  /** How many of the entries count as lines. */
  readonly lines: number;
  /** Captures that were read for it. */
  readonly captures: number;
  /** Where the next page begins; undefined after the last one. */
  readonly next: ExportPosition | undefined;
}

/** Yields the pages of sections from a position on. */
export async function* readPages<Entry>(
  sections: readonly Section<Entry>[],
  from: ExportPosition,
): AsyncGenerator<ExportPage<Entry>> {
  const after = (section: number): ExportPosition | undefined =>
    section + 1 < sections.length ? { section: section + 1 } : undefined;
  for (const [index, section] of sections.entries()) {
    if (index < from.section) continue;
    if ("read" in section) {
      const entries = await section.read();
      yield { entries, lines: section.isHeader ? 0 : entries.length, captures: 0, next: after(index) };
      continue;
    }
    const { range, toEntry, isCaptures = false, isConsistent = true } = section;
    const before = index === from.section ? from.before : undefined;
    for await (const { items, next } of partitionPages(range, { before, isConsistent })) {
      const entries = items.map(toEntry).filter((entry) => entry !== undefined);
      yield {
        entries,
        lines: entries.length,
        captures: isCaptures ? items.length : 0,
        next: next === undefined ? after(index) : { section: index, before: next },
      };
    }
  }
}

/** The tables that hold the data of accounts. */
export interface AccountTables {
  readonly accounts: string;
  readonly usage: string;
  readonly activity: string;
}

export interface AccountExportParts {
  /** The invoices of an account as the API answers them. */
  readonly readInvoices: (account: Account, now: number) => Promise<readonly object[]>;
  /** Milliseconds since 1970. What came later is left out. */
  readonly now: number;
}

/**
 * The sections of all data of an account at `now`: the account, its keys, webhook receivers, and sessions without their secrets, and its
 * invoices; then jobs, deliveries to the receivers, and captures. Reading them throws when the account does not exist.
 */
export async function accountSections(
  { accounts, activity }: AccountTables,
  accountId: number,
  { readInvoices, now }: AccountExportParts,
): Promise<Section<ExportedRecord>[]> {
  const ring = await readKeyRing(accounts, accountId);
  const { version: _, ...account } = ring.account;
  const lastId = createId(now + 1, 0) - 1;
  return [
    {
      async read() {
        const sessions: TableItem[] = [];
        const stored = partitionPages({ table: accounts, partition: sessionsPartition(accountId) });
        for await (const { items } of stored) sessions.push(...items);
        return [
          { kind: "account", ...account },
          ...ring.keys.map(exportedKey),
          ...(await listReceivers(accounts, accountId)).map(exportedReceiver),
          ...(await listAutomaticReceivers(accounts, accountId)).map(exportedReceiver),
          ...sessions.map(exportedSession),
          ...(await readInvoices(ring.account, now)).map((invoice) => ({ kind: "invoice" as const, ...invoice })),
        ];
      },
    },
    {
      range: {
        table: activity,
        partition: jobsPartition(accountId),
        keys: { first: jobKey(accountId, 0).sk, last: jobKey(accountId, lastId).sk },
      },
      toEntry: exportedJob,
    },
    { range: { table: activity, partition: deliveriesPartition(accountId) }, toEntry: exportedDelivery },
    ...[...monthsBetween(Date.parse(ring.account.created_at), now)].map((month) => ({
      range: {
        table: activity,
        partition: logPartition(accountId, month),
        keys: { first: logKey(accountId, month, 0).sk, last: logKey(accountId, month, lastId).sk },
      },
      toEntry: exportedCapture,
      isCaptures: true,
    })),
  ];
}

/** The sections of the captures that match a filter, as lines of CSV or NDJSON. Eventually consistent, at half the price. */
export function captureSections(
  view: LogView,
  filter: SearchFilter,
  { output, rows }: { readonly output: ExportType; readonly rows: RowView },
): Section<string>[] {
  const header = exportHeader(output);
  return [
    { read: async () => (header === undefined ? [] : [header]), isHeader: true },
    ...[...logRanges(view, filter)].map(({ partition, first, last }) => ({
      range: { table: view.activity, partition, keys: { first, last } },
      toEntry: (item: TableItem) =>
        matches(item, filter) ? exportLine(captureRow(fromLogItem(item), rows), output) : undefined,
      isCaptures: true,
      isConsistent: false,
    })),
  ];
}
