// Limits attempts per time window: a counter in an item of the Usage table for each window, which DynamoDB's TTL deletes.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../../contract/errors/api-error.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { attemptsKey } from "../aws/table-keys.ts";
import { hashSecret } from "./secret-token.ts";

export interface AttemptLimit {
  /** Letters and hyphens. */
  readonly kind: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** What is said when the limit is reached, without its stop. @default "Too many attempts" */
  readonly refusal?: string;
}

/** Attempts to sign in from one network that fail; those that succeed are not counted. */
export const failedSignIns: AttemptLimit = { kind: "sign-in", limit: 60, windowSeconds: 60 };

/** An attempt that was counted. */
export interface CountedAttempt {
  /** Takes it back: it was no attempt to guess. */
  forget(): Promise<void>;
}

/**
 * Counts an attempt at `now` (milliseconds since 1970), before it is made, so that simultaneous attempts cannot exceed the
 * limit. `subject` is what is limited, of which only a hash is stored. Throws `RATE_LIMITED`.
 */
export async function countAttempt(
  table: string,
  { kind, limit, windowSeconds, refusal = "Too many attempts" }: AttemptLimit,
  { subject, now }: { readonly subject: string; readonly now: number },
): Promise<CountedAttempt> {
  const window = Math.floor(now / 1000 / windowSeconds);
  const endsAt = (window + 1) * windowSeconds;
  const add = (amount: number) =>
    new UpdateCommand({
      TableName: table,
      Key: attemptsKey(kind, hashSecret(subject), window),
      UpdateExpression: "SET #ttl = :ttl ADD attempts :amount",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":ttl": endsAt, ":amount": amount },
      ReturnValues: "ALL_NEW",
    });
  const { Attributes } = await dynamodb().send(add(1));
  if (Number(Attributes?.["attempts"]) > limit) {
    const seconds = Math.max(1, Math.ceil(endsAt - now / 1000));
    throw new ApiError("RATE_LIMITED", `${refusal}. Try again in ${seconds} s.`, {
      headers: { "Retry-After": String(seconds) },
    });
  }
  return { forget: async () => void (await dynamodb().send(add(-1))) };
}
