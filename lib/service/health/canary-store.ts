// Stores the last outcome of the canary in the Activity table.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { putItem } from "../aws/items.ts";
import { canaryKey } from "../aws/table-keys.ts";

const CanaryOutcomeSchema = v.object({
  /** Whether the picture was right. */
  is_right: v.boolean(),
  checked_at: v.string(),
});
export type CanaryOutcome = v.InferOutput<typeof CanaryOutcomeSchema>;

export async function storeCanaryOutcome(table: string, outcome: CanaryOutcome): Promise<void> {
  await putItem(table, { ...canaryKey, ...outcome });
}

/** The last outcome, or undefined where the canary has not run yet. */
export async function findCanaryOutcome(table: string): Promise<CanaryOutcome | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: canaryKey }));
  return Item && v.parse(CanaryOutcomeSchema, Item);
}
