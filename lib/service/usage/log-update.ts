// Changes a capture log after its capture: removes the places of objects that were deleted.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { logKey } from "../aws/table-keys.ts";
import { cancellationReason } from "../aws/transaction.ts";
import type { CaptureDetails } from "./capture-details.ts";
import { type CaptureLog, logTime } from "./capture-log.ts";

/** Removes the result, the report, and the thumbnail from a log. Does nothing to a log that was deleted meanwhile. */
export async function forgetStored(
  table: string,
  { user_id, id }: Pick<CaptureLog, "user_id" | "id">,
  { result, report }: Pick<CaptureDetails, "result" | "report">,
): Promise<void> {
  const stored = Object.entries({ result, report }).filter(([, place]) => place !== undefined);
  const paths = ["#thumbnail", ...stored.map(([name]) => `#details.#${name}`)];
  const command = new UpdateCommand({
    TableName: table,
    Key: logKey(user_id, logTime(id).month, id),
    UpdateExpression: `REMOVE ${paths.join(", ")}`,
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: Object.fromEntries(
      ["thumbnail", ...(stored.length > 0 ? ["details"] : []), ...stored.map(([name]) => name)].map((name) => [
        `#${name}`,
        name,
      ]),
    ),
  });
  await cancellationReason(() => dynamodb().send(command));
}
