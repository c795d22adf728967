// Reads and deletes the items of whole partitions, which an account's data consists of.
import { setTimeout as pause } from "node:timers/promises";
import { BatchWriteCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";

export type Item = Record<string, unknown>;

/** Yields all items of a partition, in the order of their sort keys, read consistently. */
export async function* partitionItems(
  table: string,
  partition: string,
  { isNewestFirst = false } = {},
): AsyncGenerator<Item> {
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition },
      ScanIndexForward: !isNewestFirst,
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) yield* Items;
}

/** Maximum of items in one BatchWriteItem. */
const MAX_BATCH = 25;
/** Batches that are sent side by side. */
const BATCHES_AT_ONCE = 8;
/** DynamoDB leaves items of a batch out when the table is throttled; each wait is longer than the last by this. */
const BACKOFF_STEP_MS = 50;

/** Deletes items as they come. `onDeleted` is called for each before it is deleted. Resolves to their number. */
export async function deleteItems(
  table: string,
  items: AsyncIterable<Item> | Iterable<Item>,
  onDeleted: (item: Item) => Promise<void> = async () => undefined,
): Promise<number> {
  let count = 0;
  let group: Item[] = [];
  const flush = async () => {
    const batches = Array.from({ length: Math.ceil(group.length / MAX_BATCH) }, (_, index) =>
      group.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
    );
    await Promise.all(group.map(onDeleted));
    await Promise.all(batches.map((batch) => deleteBatch(table, batch)));
    count += group.length;
    group = [];
  };
  for await (const item of items) {
    group.push(item);
    if (group.length === MAX_BATCH * BATCHES_AT_ONCE) await flush();
  }
  await flush();
  return count;
}

async function deleteBatch(table: string, items: readonly Item[]): Promise<void> {
  let requests = items.map(({ pk, sk }): object => ({ DeleteRequest: { Key: { pk, sk } } }));
  for (let attempt = 1; requests.length > 0; attempt++) {
    const { UnprocessedItems } = await dynamodb().send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
    requests = UnprocessedItems?.[table] ?? [];
    if (requests.length > 0) await pause(Math.random() * attempt * BACKOFF_STEP_MS);
  }
}
