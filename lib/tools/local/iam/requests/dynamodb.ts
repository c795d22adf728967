// What IAM judges of a call to DynamoDB: an action on each table or index, with the partition keys that it touches.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
import type { AccessRequest } from "../evaluate.ts";
import {
  type AwsCall,
  accessRequest,
  type KnownResources,
  localArn,
  parseJson,
  targetOperation,
  UnreadableCall,
} from "./aws-call.ts";

/** A value of DynamoDB's JSON that can be a key. */
interface KeyValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
}

type Attributes = Readonly<Record<string, KeyValue>>;

interface TableInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

interface BatchWrite {
  readonly PutRequest?: { readonly Item: Attributes };
  readonly DeleteRequest?: { readonly Key: Attributes };
}

interface Input extends TableInput {
  readonly TransactItems?: readonly Readonly<Record<string, TableInput>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] } | readonly BatchWrite[]>>;
}

export function readDynamoDbCall(call: AwsCall, resources: KnownResources): AccessRequest[] {
  const operation = targetOperation(call);
  const input = parseJson<Input>(call);
  const reader = readers[operation];
  if (!reader) throw new UnreadableCall(`the operation ${operation} is unknown`);
  return reader(operation, input, resources);
}

type Reader = (operation: string, input: Input, resources: KnownResources) => AccessRequest[];

const readItem: Reader = (operation, input, resources) => {
  return [tableRequest(operation, input, [leadingKey(input, input.Key ?? input.Item, resources)])];
};

const readQuery: Reader = (operation, input, resources) => {
  const partitionKey = partitionKeyName(input, resources);
  return [tableRequest(operation, input, [queriedKey(input, partitionKey)])];
};

/** What is about no partition has no leading keys, so a condition for all of them holds: on AWS, too. */
const readTable: Reader = (operation, input) => [tableRequest(operation, input)];

/** A batch is one request for each table, with all its partition keys at once. */
const readBatch: Reader = (operation, { RequestItems = {} }, resources) =>
  Object.entries(RequestItems).map(([TableName, items]) => {
    const keys =
      "Keys" in items
        ? items.Keys
        : items.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key);
    return tableRequest(
      operation,
      { TableName },
      keys.map((key) => leadingKey({ TableName }, key, resources)),
    );
  });

/**
 * A transaction needs the permissions of the actions in it, and none of its own. AWS doesn't say whether an item is judged by its own key
 * or by all keys that the transaction has in the table. All keys are the stricter one: what it allows, AWS allows either way.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
const readTransaction: Reader = (_, { TransactItems = [] }, resources) => {
  const parts = TransactItems.flatMap((item) =>
    Object.entries(item).map(([kind, input]) => {
      const operation = transactionActions[kind];
      if (operation === undefined) throw new UnreadableCall(`the action ${kind} of a transaction is unknown`);
      return { operation, input, key: leadingKey(input, input.Key ?? input.Item, resources) };
    }),
  );
  const ofTable = Map.groupBy(parts, ({ input: { TableName = "" } }) => tableNameOf(TableName));
  return [...ofTable].flatMap(([TableName, items]) => {
    const [operations, keys] = [new Set(items.map(({ operation }) => operation)), new Set(items.map(({ key }) => key))];
    return [...operations].map((operation) => tableRequest(operation, { TableName }, [...keys]));
  });
};

const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: "ConditionCheckItem",
  Delete: "DeleteItem",
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
};

const readers: Readonly<Record<string, Reader>> = {
  BatchGetItem: readBatch,
  BatchWriteItem: readBatch,
  DeleteItem: readItem,
  DescribeTable: readTable,
  GetItem: readItem,
  PutItem: readItem,
  Query: readQuery,
  Scan: readTable,
  TransactGetItems: readTransaction,
  TransactWriteItems: readTransaction,
  UpdateItem: readItem,
};

function tableRequest(operation: string, input: TableInput, leadingKeys?: readonly string[]): AccessRequest {
  const { TableName = "", IndexName } = input;
  const resource = `table/${tableNameOf(TableName)}${IndexName === undefined ? "" : `/index/${IndexName}`}`;
  return accessRequest(
    `dynamodb:${operation}`,
    localArn("dynamodb", resource),
    leadingKeys && { "dynamodb:LeadingKeys": leadingKeys },
  );
}

/** A call may name a table by its ARN. */
function tableNameOf(nameOrArn: string): string {
  return nameOrArn.split(":table/").at(-1) ?? nameOrArn;
}

function partitionKeyName({ TableName = "", IndexName }: TableInput, resources: KnownResources): string {
  const name = resources.partitionKey(tableNameOf(TableName), IndexName);
  if (name === undefined)
    throw new UnreadableCall(`the template has no table ${TableName} ${IndexName ?? ""}`.trimEnd());
  return name;
}

function leadingKey(input: TableInput, key: Attributes | undefined, resources: KnownResources): string {
  return asText(key?.[partitionKeyName(input, resources)]);
}

/** The value that the partition key equals in a key condition, which must have such an equality. */
function queriedKey(input: TableInput, partitionKey: string): string {
  const { KeyConditionExpression = "", ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  for (const comparison of KeyConditionExpression.split(/\bAND\b/i)) {
    const [one = "", other = ""] = comparison.split("=").map((operand) => operand.replace(/[()\s]/g, ""));
    const [name, value] = one.startsWith(":") ? [other, one] : [one, other];
    if ((ExpressionAttributeNames[name] ?? name) === partitionKey) return asText(ExpressionAttributeValues[value]);
  }
  throw new UnreadableCall(`the key condition "${KeyConditionExpression}" has no value for ${partitionKey}`);
}

function asText(value: KeyValue | undefined): string {
  const text = value?.S ?? value?.N ?? value?.B;
  if (text === undefined) throw new UnreadableCall("the partition key has no value");
  return text;
}
