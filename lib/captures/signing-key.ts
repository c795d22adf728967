// Chooses the API key whose secret signs the webhooks of a capture that a session requests.
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { type Caller, isActiveKey } from "../accounts/account.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { accountPartition, apiKeyPrefix } from "../aws/table-keys.ts";
import { ApiError } from "../errors/api-error.ts";
import type { CaptureOptions } from "../options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";
import { isSessionCaller } from "../sessions/session.ts";

/**
 * Returns the caller with the account's oldest active key, whose secret its receivers know, if it is a session that asks
 * for a signed webhook; any other caller as it is. Throws `VALIDATION_ERROR` when the account has no active key.
 */
export async function withSigningKey(
  caller: Caller,
  { webhook_url, webhook_sign }: Pick<CaptureOptions, "webhook_url" | "webhook_sign">,
  { ACCOUNTS_TABLE }: Pick<Environment, "ACCOUNTS_TABLE">,
): Promise<Caller> {
  if (!isSessionCaller(caller) || webhook_url === undefined || !webhook_sign) return caller;
  const signing_key_id = await oldestActiveKey(ACCOUNTS_TABLE, caller.account.id, Date.now());
  if (signing_key_id === undefined) {
    const message =
      "needs an API key that signs the webhook, and the account has none that is active; create one first";
    throw new ApiError("VALIDATION_ERROR", `Option 'webhook_url' ${message}.`, { details: { webhook_url: [message] } });
  }
  return { ...caller, key: { ...caller.key, signing_key_id } };
}

const KeyStateSchema = v.object({
  id: v.number(),
  revoked_at: v.nullable(v.string()),
  expires_at: v.nullable(v.string()),
});

async function oldestActiveKey(table: string, accountId: number, now: number): Promise<number | undefined> {
  const command = new QueryCommand({
    TableName: table,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :keys)",
    ExpressionAttributeValues: { ":pk": accountPartition(accountId), ":keys": apiKeyPrefix },
    ProjectionExpression: "id, revoked_at, expires_at", // the role of the function may read no other attributes
    ConsistentRead: true,
  });
  const { Items = [] } = await dynamodb().send(command);
  const states = Items.map((item) => v.parse(KeyStateSchema, item));
  return states.find((state) => isActiveKey(state, now))?.id; // in the order of ids, which is that of creation
}
