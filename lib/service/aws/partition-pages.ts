// Reads the items of partitions page by page, newest first, from any position on.
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "./clients/dynamodb.ts";

export type TableItem = Record<string, unknown>;

/** True for what an attribute of an item is that has attributes itself. */
export function isItem(value: unknown): value is TableItem {
  return typeof value === "object" && value !== null;
}

/** A part of a partition. */
export interface ItemRange {
  readonly table: string;
  readonly partition: string;
  /** First and last sort key. @default all */
  readonly keys?: { readonly first: string; readonly last: string };
}

/** The items that one query has read: at most a megabyte. */
export interface ItemPage {
  readonly items: readonly TableItem[];
  /** The sort key before which the next page begins; undefined after the last page. */
  readonly next: string | undefined;
}

export interface PartitionPageSettings {
  /** Sort key of the item that precedes the first page; it need not exist any more. @default the pages begin at the end of the range */
  readonly before?: string | undefined;
  /** Eventually consistent reads cost half. @default true */
  readonly isConsistent?: boolean;
  /** Maximum of items of a page. @default as many as a query reads */
  readonly pageSize?: number | undefined;
}

/** Yields the pages of a range. */
export async function* partitionPages(
  { table, partition, keys }: ItemRange,
  { before, isConsistent = true, pageSize }: PartitionPageSettings = {},
): AsyncGenerator<ItemPage> {
  let next = before;
  do {
    const page = await dynamodb().send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `pk = :pk${keys ? " AND sk BETWEEN :first AND :last" : ""}`,
        ExpressionAttributeValues: { ":pk": partition, ...(keys && { ":first": keys.first, ":last": keys.last }) },
        ScanIndexForward: false,
        ConsistentRead: isConsistent,
        ...(pageSize !== undefined && { Limit: pageSize }),
        ...(next !== undefined && { ExclusiveStartKey: { pk: partition, sk: next } }),
      }),
    );
    const last = page.LastEvaluatedKey?.["sk"];
    next = last === undefined ? undefined : String(last);
    yield { items: page.Items ?? [], next };
  } while (next !== undefined);
}
