// The stored response of a request with an `Idempotency-Key`, as the logs of its captures refer to it: it is deleted with each of them.
import * as v from "valibot";
import { updateItem } from "../aws/items.ts";
import { responseKey } from "../aws/table-keys.ts";
import { internalPrefixes } from "./lifetime-class.ts";

export const StoredAnswerSchema = v.object({
  /** Sort key of its item. */
  key: v.string(),
  /** The request that ran, by the holder of its lease, which is unique. */
  holder: v.string(),
});
export type StoredAnswer = v.InferOutput<typeof StoredAnswerSchema>;

/** How long a response is replayed, in milliseconds. */
export const RESPONSE_RETENTION_MS = 24 * 60 * 60 * 1000;

/** The key of the object with the body of a stored response, if that isn't in its item. */
export function answerObject({ holder }: Pick<StoredAnswer, "holder">): string {
  return `${internalPrefixes.answers.name}/${holder}`;
}

const StoredObjectSchema = v.looseObject({ body: v.object({ object: v.string() }) });

/** The key of the object with the body of a response whose stored form is `outcome`; undefined if the body is in its item. */
export function answeredObject(outcome: string): string | undefined {
  const parsed = v.safeParse(StoredObjectSchema, JSON.parse(outcome));
  return parsed.success ? parsed.output.body.object : undefined;
}

/** True for the key of the object of a stored response. */
export function isAnswerKey(key: string): boolean {
  return key.startsWith(`${internalPrefixes.answers.name}/`);
}

/** The holder and the outcome of a lease whose response was deleted: a request that is still running can't store its response any more. */
const DELETED_HOLDER = "deleted";
export const DELETED_OUTCOME = JSON.stringify({ deleted: true });

/** Ends the replays of a response, at `now` (milliseconds since 1970), also if it isn't stored yet. Its object is deleted apart. */
export async function deleteAnswer(
  table: string,
  accountId: number,
  { key, holder }: StoredAnswer,
  now: number,
): Promise<void> {
  const expiresAt = now + RESPONSE_RETENTION_MS;
  await updateItem(table, responseKey(accountId, key), {
    update: "SET holder = :deleted, outcome = :outcome, expires_at = if_not_exists(expires_at, :expires), #ttl = :ttl",
    condition: "holder = :holder", // the key can have been used for another request since
    values: {
      ":deleted": DELETED_HOLDER,
      ":outcome": DELETED_OUTCOME,
      ":expires": expiresAt,
      ":ttl": Math.ceil(expiresAt / 1000),
      ":holder": holder,
    },
  });
}
