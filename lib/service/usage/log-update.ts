// Changes a capture log after its capture: removes the keys of objects that were deleted.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { logKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
import { type CaptureLog, logTime } from "./capture-log.ts";

/** The result, the report, and the stored response that a log refers to, if it does. */
export interface LoggedObjects {
  readonly result?: { readonly key: string } | undefined;
  readonly report?: object | undefined;
  readonly answer?: object | undefined;
}

/** Removes the thumbnail, the result, the report, and the stored response from a log, unless the log refers to another result or was deleted. */
export async function forgetStored(
  table: string,
  { user_id, id }: Pick<CaptureLog, "user_id" | "id">,
  { result, report, answer }: LoggedObjects,
): Promise<void> {
  const details = { ...(result && { result }), ...(report && { report }), ...(answer && { answer }) };
  const detailNames = Object.keys(details);
  const removed = ["#thumbnail", ...detailNames.map((name) => `#details.#${name}`)];
  const names = [
    "thumbnail",
    ...(detailNames.length > 0 ? ["details"] : []),
    ...detailNames,
    ...(result ? ["key"] : []),
  ];
  const command = new UpdateCommand({
    TableName: table,
    Key: logKey(user_id, logTime(id).month, id),
    UpdateExpression: `REMOVE ${removed.join(", ")}`,
    ConditionExpression: result ? "#details.#result.#key = :key" : "attribute_exists(pk)",
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ...(result && { ExpressionAttributeValues: { ":key": result.key } }),
  });
  await cancellationReason(() => dynamodb().send(command));
}
