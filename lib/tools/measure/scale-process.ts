// Runs loads of captures in a process with a DynamoDB engine of its own, since a process has one client and one clock.
import { randomUUID } from "node:crypto";
import { useLocalData } from "../local/cli/find-service.ts";
import { spawnDynamoDb } from "../local/engines/engines.ts";
import { createTables } from "../local/engines/tables.ts";
import { runScaleLoad, type ScaleLoad } from "./scale-load.ts";

const tables = { usage: "Usage", activity: "Activity" };
const properties = {
  AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
};

const engine = await spawnDynamoDb({ runFolder: randomUUID(), onLog: () => {} });
const endpoint = await engine.endpoint;
useLocalData({ dynamodb: endpoint });
const resources = Object.values(tables).map((ref) => ({
  ref,
  logicalId: ref,
  type: "AWS::DynamoDB::Table",
  properties,
}));
await createTables(resources, endpoint);

let firstAccount = 1_000;
process.on("message", async (load: ScaleLoad) => {
  const result = await runScaleLoad(load, tables, firstAccount);
  firstAccount += load.rates.length;
  process.send?.(result);
});
process.once("disconnect", () => void engine.stop().then(() => process.exit()));
