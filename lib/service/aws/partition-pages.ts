// Reads the items of partitions page by page, newest first, from any position on.
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";

export type Item = Record<string, unknown>;

/** A part of a partition. */
export interface ItemRange {
  readonly table: string;
  readonly partition: string;
  /** First and last sort key. @default all */
  readonly keys?: { readonly first: string; readonly last: string };
}

/** As many items as one query reads, at most a megabyte. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** The sort key before which the next page begins; undefined after the last page. */
  readonly next: string | undefined;
}

/** Yields the pages of a range from the items before `before` on, or from its end. The item of `before` need not exist any more. */
export async function* partitionPages(
  { table, partition, keys }: ItemRange,
  { before, isConsistent = true }: { readonly before: string | undefined; readonly isConsistent?: boolean },
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
        ...(next !== undefined && { ExclusiveStartKey: { pk: partition, sk: next } }),
      }),
    );
    const last = page.LastEvaluatedKey?.["sk"];
    next = last === undefined ? undefined : String(last);
    yield { items: page.Items ?? [], next };
  } while (next !== undefined);
}
