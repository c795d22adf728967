// Creates the template's tables in the local DynamoDB. Existing tables keep their data.
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { clientOptions } from "./client-options.ts";

type TableResource = Pick<Resource, "ref" | "properties">;

/** Throws `LocalServiceError` when the data folder holds a table of the same name with other keys. */
export async function createTables(tables: readonly TableResource[], endpoint: string): Promise<void> {
  const client = new DynamoDBClient(clientOptions(endpoint));
  try {
    for (const table of tables) await createTable(client, table);
  } finally {
    client.destroy();
  }
}

/** The part of `AWS::DynamoDB::GlobalTable` and `AWS::DynamoDB::Table` that has an effect on this machine. */
interface TableProperties {
  readonly AttributeDefinitions: AttributeDefinition[];
  readonly KeySchema: KeySchemaElement[];
  readonly GlobalSecondaryIndexes?: GlobalSecondaryIndex[];
  readonly TimeToLiveSpecification?: { readonly AttributeName?: string; readonly Enabled: boolean | string };
}

async function createTable(client: DynamoDBClient, { ref: TableName, properties }: TableResource): Promise<void> {
  const { AttributeDefinitions, KeySchema, ...table } = properties as unknown as TableProperties;
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema: keys, Projection }) => ({
    IndexName,
    KeySchema: keys,
    Projection,
  }));
  const existing = await describe(client, TableName);
  if (!existing) {
    const GlobalSecondaryIndexes = indexes.length > 0 ? indexes : undefined;
    const BillingMode = "PAY_PER_REQUEST";
    await client.send(
      new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode, GlobalSecondaryIndexes }),
    );
  } else {
    requireSameKeys(existing, KeySchema);
    const present = new Set(existing.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
    for (const index of indexes.filter(({ IndexName }) => !present.has(IndexName))) {
      const GlobalSecondaryIndexUpdates = [{ Create: index }];
      await client.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
    }
  }

  const { AttributeName, Enabled } = table.TimeToLiveSpecification ?? {};
  if (AttributeName && String(Enabled) === "true") {
    const TimeToLiveSpecification = { AttributeName, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })).catch(ignoreAlreadyEnabled);
  }
}

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function requireSameKeys({ TableName, KeySchema = [] }: TableDescription, wanted: readonly KeySchemaElement[]): void {
  const list = (keys: readonly KeySchemaElement[]) =>
    keys.map((key) => `${key.KeyType} ${key.AttributeName}`).join(", ");
  if (list(KeySchema) === list(wanted)) return;
  throw new LocalServiceError(
    `The data folder has a table ${TableName} with the keys ${list(KeySchema)} instead of ${list(wanted)}. ` +
      "Use another data folder, or remove this one.",
  );
}

function ignoreAlreadyEnabled(error: Error): void {
  if (!(error.name === "ValidationException" && error.message.includes("already enabled"))) throw error;
}
