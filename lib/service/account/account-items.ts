// Reads and deletes the items of whole partitions, which an account's data consists of.
import { DeleteCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
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

/** Items that are deleted side by side, each by its key: a role that may send batches could send any. */
const DELETED_AT_ONCE = 50;

/** Deletes items as they come. `onDeleted` is called for each before it is deleted. Resolves to their number. */
export async function deleteItems(
  table: string,
  items: AsyncIterable<Item> | Iterable<Item>,
  onDeleted: (item: Item) => Promise<void> = async () => undefined,
): Promise<number> {
  const deleteOne = async (item: Item) => {
    await onDeleted(item);
    const { pk, sk } = item;
    await dynamodb().send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
  };
  let count = 0;
  let group: Item[] = [];
  const flush = async () => {
    await Promise.all(group.map(deleteOne));
    count += group.length;
    group = [];
  };
  for await (const item of items) {
    group.push(item);
    if (group.length === DELETED_AT_ONCE) await flush();
  }
  await flush();
  return count;
}
