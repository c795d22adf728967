// Limits attempts per time window: a counter in an item of the Usage table for each window, which DynamoDB's TTL deletes.
import { ApiError } from "../../contract/errors/api-error.ts";
import { UnauthorizedError } from "../account/authenticate.ts";
import { updateItem } from "../aws/items.ts";
import { attemptsKey } from "../aws/table-keys.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { limitedNetwork } from "./network-address.ts";
import { hashSecret } from "./secret-token.ts";

export interface AttemptLimit {
  /** Letters and hyphens. */
  readonly kind: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** What is said when the limit is reached, without its stop. @default "Too many attempts" */
  readonly refusal?: string;
}

/** Attempts to sign in from one network that fail. */
export const failedSignIns: AttemptLimit = { kind: "sign-in", limit: 60, windowSeconds: 60 };

/** An attempt that was counted. */
export interface CountedAttempt {
  /** Takes it back: it was no attempt to guess. */
  forget(): Promise<void>;
}

/** The item that counts the attempts of a subject at `now` (milliseconds since 1970), and the second since 1970 at which its window ends. */
export function attemptsItem(
  { kind, windowSeconds }: Pick<AttemptLimit, "kind" | "windowSeconds">,
  { subject, now }: { readonly subject: string; readonly now: number },
) {
  const window = Math.floor(now / 1000 / windowSeconds);
  return { Key: attemptsKey(kind, hashSecret(subject), window), endsAt: (window + 1) * windowSeconds };
}

/**
 * Counts an attempt at `now` (milliseconds since 1970), before it is made, so that simultaneous attempts cannot exceed the
 * limit. `subject` is what is limited; only a hash of it is stored. Throws `RATE_LIMITED`.
 */
export async function countAttempt(
  table: string,
  { kind, limit, windowSeconds, refusal = "Too many attempts" }: AttemptLimit,
  { subject, now }: { readonly subject: string; readonly now: number },
): Promise<CountedAttempt> {
  const { Key, endsAt } = attemptsItem({ kind, windowSeconds }, { subject, now });
  const add = (amount: number) =>
    updateItem(table, Key, {
      update: "SET #ttl = :ttl ADD attempts :amount",
      values: { ":ttl": endsAt, ":amount": amount },
    });
  const { item } = await add(1);
  if (Number(item?.["attempts"]) > limit) {
    const seconds = Math.max(1, Math.ceil(endsAt - now / 1000));
    throw new ApiError("RATE_LIMITED", `${refusal}. Try again in ${seconds} s.`, {
      headers: { "Retry-After": String(seconds) },
    });
  }
  return { forget: async () => void (await add(-1)) };
}

/** Counts an attempt as `countAttempt` does. Resolves to false when the limit is reached. */
export async function isAttemptAllowed(
  table: string,
  limit: AttemptLimit,
  counted: { readonly subject: string; readonly now: number },
): Promise<boolean> {
  try {
    await countAttempt(table, limit, counted);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/**
 * Makes an attempt to sign in, and counts it for the network if its proof is wrong: throws `RATE_LIMITED` then in place of `UNAUTHORIZED` when
 * too many were. A right proof is never refused, so that no caller keeps others of the network out. Proofs are secrets of 256 bits, or codes
 * with a limit of their own. `failures` is the limit that a wrong one counts against.
 */
export async function limitFailures<Result>(
  table: string,
  { sourceIp, receivedAt: now }: Pick<ApiRequest, "sourceIp" | "receivedAt">,
  attempt: () => Promise<Result>,
  failures: AttemptLimit = failedSignIns,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof UnauthorizedError)
      await countAttempt(table, failures, { subject: limitedNetwork(sourceIp), now });
    throw error;
  }
}
