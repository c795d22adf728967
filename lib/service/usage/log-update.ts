// Changes a capture log after its capture: removes the keys of objects that were deleted.
import { updateItem } from "../aws/items.ts";
import { logKey } from "../aws/table-keys.ts";
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
  const removed = ["#thumbnail", ...Object.keys(details).map((name) => `#details.#${name}`)];
  await updateItem(table, logKey(user_id, logTime(id).month, id), {
    update: `REMOVE ${removed.join(", ")}`,
    condition: result ? "#details.#result.#key = :key" : "attribute_exists(pk)",
    values: { ":key": result?.key },
  });
}
