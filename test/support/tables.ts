// Starts the three tables, empty, in a DynamoDB engine of their own, with a KMS engine for secrets.
import { randomUUID } from "node:crypto";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { spawnDynamoDb } from "../../lib/tools/local/engines/engines.ts";
import { startKeyService } from "../../lib/tools/local/engines/key-service.ts";

export interface RunningTables {
  /** Names of the tables. */
  readonly tables: { readonly accounts: string; readonly usage: string; readonly activity: string };
  readonly endpoint: string;
  close(): Promise<void>;
}

/** ARN of the KMS key that encrypts secrets. */
export const SECRETS_KEY = "arn:aws:kms:us-east-1:000000000000:key/1c6e5b9e-6f2c-4d3a-9d83-2f0f2c0c9a51";

/**
 * Starts the engines of DynamoDB and KMS, and points this process's AWS clients at it. Once per test file: the clients keep the first address
 * they are given.
 */
export async function startTables(): Promise<RunningTables> {
  const engine = await spawnDynamoDb({ runFolder: randomUUID(), onLog: () => {} });
  const [endpoint, keys] = await Promise.all([engine.endpoint, startKeyService()]);
  keys.createKeys([SECRETS_KEY]);
  useLocalData({ dynamodb: endpoint, kms: keys.endpoint, secretsKey: SECRETS_KEY });
  const tables = { accounts: "Accounts", usage: "Usage", activity: "Activity" };
  await Promise.all(Object.values(tables).map(makeTable));
  return { tables, endpoint, close: async () => void (await Promise.all([engine.stop(), keys.stop()])) };
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
