// Items of DynamoDB tables: strongly consistent reads, updates under a condition, and queries of a partition.
//
// In expressions, `#status` is the attribute `status`: DynamoDB reserves many words, so that their names need placeholders.
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "./clients/dynamodb.ts";
import type { TableItem } from "./partition-pages.ts";
import { backOff, cancellationReason, type Write } from "./transaction.ts";

export type ItemKey = Readonly<Record<string, string>>;

/** Reads an item. Undefined when there is none. */
export async function getItem(table: string, key: ItemKey): Promise<TableItem | undefined> {
  const command = new GetCommand({ TableName: table, Key: { ...key }, ConsistentRead: true });
  return (await dynamodb().send(command)).Item;
}

/** Maximum of items of a batch. */
const MAX_BATCH = 100;

/** Reads items by their keys, in as few requests as possible. Those that don't exist are left out, and the others are in any order. */
export async function getItems(table: string, keys: readonly ItemKey[]): Promise<TableItem[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH) }, (_, index) =>
    readBatch(table, keys.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH)),
  );
  return (await Promise.all(batches)).flat();
}

async function readBatch(table: string, keys: readonly ItemKey[]): Promise<TableItem[]> {
  const items: TableItem[] = [];
  let rest: KeysAndAttributes | undefined = { Keys: keys.map((key) => ({ ...key })), ConsistentRead: true };
  for (let attempt = 1; rest; attempt++) {
    const command: BatchGetCommand = new BatchGetCommand({ RequestItems: { [table]: rest } });
    const { Responses, UnprocessedKeys } = await dynamodb().send(command);
    items.push(...(Responses?.[table] ?? []));
    rest = UnprocessedKeys?.[table];
    if (rest) await backOff(attempt);
  }
  return items;
}

type KeysAndAttributes = NonNullable<BatchGetCommandInput["RequestItems"]>[string];

type Values = Readonly<Record<string, unknown>>;

/** The condition of a write. Undefined values are left out. */
export function writeCondition(condition: string, values: Values = {}) {
  return { ConditionExpression: condition, ...placeholders(condition, values) };
}

/** A change of an item: its expressions, and the values of their placeholders. Undefined values are left out. */
export interface ItemChange {
  readonly update: string;
  /** @default none */
  readonly condition?: string | undefined;
  readonly values?: Values;
}

type Update = NonNullable<Write["Update"]>;

/** The write that changes an item. A failed condition comes with the item that failed it. */
export function itemUpdate(table: string, key: ItemKey, { update, condition, values = {} }: ItemChange): Update {
  return {
    TableName: table,
    Key: { ...key },
    UpdateExpression: update,
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...placeholders(`${update} ${condition}`, values),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

function placeholders(expressions: string, values: Values) {
  const names = (expressions.match(/#\w+/g) ?? []).map((name) => [name, name.slice(1)]);
  const used = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) as Record<string, string> }),
    ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) }),
  };
}

/** The outcome of an update: the item after it or, if its condition has failed, the item that failed it, if there is one. */
export type UpdatedItem =
  | { readonly isChanged: true; readonly item: TableItem }
  | { readonly isChanged: false; readonly item: TableItem | undefined };

/** Changes an item, with retries on conflicts. */
export function updateItem(table: string, key: ItemKey, change: ItemChange): Promise<UpdatedItem> {
  return sendUpdate(itemUpdate(table, key, change));
}

/** Sends an update. `returned` is what is returned of an item that it changes. */
export async function sendUpdate(
  update: Update,
  returned: NonNullable<UpdateCommandInput["ReturnValues"]> = "ALL_NEW",
): Promise<UpdatedItem> {
  const command = new UpdateCommand({ ...update, ReturnValues: returned });
  let item: TableItem = {};
  const failed = await cancellationReason(async () => {
    item = (await dynamodb().send(command)).Attributes ?? {};
  });
  return failed ? { isChanged: false, item: failed.item } : { isChanged: true, item };
}

/** The outcome of a write: if its condition has failed, with the item that failed it, if there is one. */
export interface WrittenItem {
  readonly isChanged: boolean;
  readonly item: TableItem | undefined;
}

/** Stores an item in place of another one, with retries on conflicts. */
export async function putItem(
  table: string,
  item: TableItem,
  condition?: string,
  values?: Values,
): Promise<WrittenItem> {
  const command = new PutCommand({
    TableName: table,
    Item: item,
    ...(condition !== undefined && writeCondition(condition, values)),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const failed = await cancellationReason(() => dynamodb().send(command));
  return { isChanged: !failed, item: failed?.item };
}

/** Deletes an item, with retries on conflicts. Resolves to it: of several requests, to exactly one. */
export async function deleteItem(
  table: string,
  key: ItemKey,
  condition?: string,
  values?: Values,
): Promise<TableItem | undefined> {
  const command = new DeleteCommand({
    TableName: table,
    Key: { ...key },
    ...(condition !== undefined && writeCondition(condition, values)),
    ReturnValues: "ALL_OLD",
  });
  let deleted: TableItem | undefined;
  await cancellationReason(async () => {
    deleted = (await dynamodb().send(command)).Attributes;
  });
  return deleted;
}

/** A part of a partition: sort keys that begin with `prefix`, or from `first` to `last`, both included. */
export type KeyRange = { readonly prefix?: string } | { readonly first: string; readonly last: string };

/** Reads the items of a partition in the order of their sort keys. */
export async function queryItems(table: string, partition: string, range: KeyRange = {}): Promise<TableItem[]> {
  const items: TableItem[] = [];
  for await (const page of queryPages(table, partition, range)) items.push(...page);
  return items;
}

/** Like `queryItems`, page by page. */
export async function* queryPages(table: string, partition: string, range: KeyRange): AsyncGenerator<TableItem[]> {
  const pages = paginateQuery({ client: dynamodb() }, { TableName: table, ...rangeInput(partition, range) });
  for await (const { Items = [] } of pages) yield Items;
}

export interface LimitedQuery {
  readonly limit: number;
  /** @default false */
  readonly isNewestFirst?: boolean;
}

/** The first items of a range, or the last ones, from the last on. Fewer than `limit` at its end only. */
export async function queryFirst(
  table: string,
  { partition, range }: { readonly partition: string; readonly range: KeyRange },
  { limit, isNewestFirst = false }: LimitedQuery,
): Promise<TableItem[]> {
  const items: TableItem[] = [];
  let start: TableItem | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({
        TableName: table,
        ...rangeInput(partition, range),
        ScanIndexForward: !isNewestFirst,
        Limit: limit - items.length,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start && items.length < limit);
  return items;
}

function rangeInput(partition: string, range: KeyRange) {
  const [condition, values] =
    "first" in range
      ? [" AND sk BETWEEN :first AND :last", { ":first": range.first, ":last": range.last }]
      : range.prefix === undefined
        ? ["", {}]
        : [" AND begins_with(sk, :prefix)", { ":prefix": range.prefix }];
  return {
    KeyConditionExpression: `pk = :pk${condition}`,
    ExpressionAttributeValues: { ":pk": partition, ...values },
    ConsistentRead: true,
  };
}
