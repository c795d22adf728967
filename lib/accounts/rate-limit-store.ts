// Requests of an account in the Usage table.
import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { requestsKey, requestsPartition } from "../aws/table-keys.ts";
import { conditionFailed, retryConflicts } from "../aws/transaction.ts";
import { admissionUpdate, expiredMarks, parseLastUses, type RateLimitState, rateLimitState } from "./rate-limit.ts";

/** Counts a request if the limit allows it, in one write. With another limit, as after a change of plan, it counts anew. */
export async function countRequest(
  table: string,
  request: { readonly accountId: number; readonly keyId: number; readonly limit: number; readonly now: number },
): Promise<RateLimitState & { readonly isAdmitted: boolean }> {
  const target = { TableName: table, Key: requestsKey(request.accountId, request.limit) };
  try {
    const command = new UpdateCommand({
      ...target,
      ...admissionUpdate(request),
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    const { Attributes = {} } = await retryConflicts(() => dynamodb().send(command));
    const stale = expiredMarks(Attributes, request.now);
    if (stale.length > 0) {
      await dynamodb().send(new UpdateCommand({ ...target, UpdateExpression: `REMOVE ${stale.join(", ")}` }));
    }
    return { ...rateLimitState(Attributes, request), isAdmitted: true };
  } catch (error) {
    const refused = conditionFailed(error);
    if (!refused) throw error;
    return { ...rateLimitState(refused.item ?? {}, request), isAdmitted: false };
  }
}

/** When each key of an account last sent a request that was admitted, in milliseconds since 1970. */
export async function queryLastUses(table: string, accountId: number): Promise<ReadonlyMap<number, number>> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": requestsPartition(accountId) },
    }),
  );
  return parseLastUses(Items);
}
