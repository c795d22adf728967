// Starts the three tables, empty, in a DynamoDB engine of their own.
import { randomUUID } from "node:crypto";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { useLocalDynamoDb } from "../../lib/tools/local/cli/find-service.ts";
import { spawnDynamoDb } from "../../lib/tools/local/engines/engines.ts";

export interface RunningTables {
  /** Names of the tables. */
  readonly tables: { readonly accounts: string; readonly usage: string; readonly activity: string };
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts the engine, and points this process's AWS clients at it. Once per test file: the clients keep the first address
 * they are given.
 */
export async function startTables(): Promise<RunningTables> {
  const engine = await spawnDynamoDb({ runFolder: randomUUID(), onLog: () => {} });
  const endpoint = await engine.endpoint;
  useLocalDynamoDb(endpoint);
  const tables = { accounts: "Accounts", usage: "Usage", activity: "Activity" };
  await Promise.all(Object.values(tables).map(makeTable));
  return { tables, endpoint, close: () => engine.stop() };
}

/** With the keys that all tables of the service have. */
export function makeTable(TableName: string) {
  const names = ["pk", "sk"] as const;
  return dynamodb().send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
}
