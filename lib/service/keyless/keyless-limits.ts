// The limits of captures without an API key, and of browsers that are started ahead of them: for each network and hour, for all on a day,
// and for captures that run at the same time.
import { ApiError } from "../../contract/errors/api-error.ts";
import { KEYLESS_CAPTURES_PER_HOUR } from "../../contract/keyless-capture.ts";
import { updateItem } from "../aws/items.ts";
import { type RunningOperation, startOperation } from "../aws/running-count.ts";
import { KEYLESS_ATTEMPTS, keylessCapturesKey } from "../aws/table-keys.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { shortenAddress } from "../sessions/network-address.ts";
import { type AttemptLimit, attemptsItem, type CountedAttempt, countAttempt } from "../sessions/sign-in-attempts.ts";

/** Of a network in an hour. */
export const perNetwork: AttemptLimit = {
  kind: `${KEYLESS_ATTEMPTS}network`,
  limit: KEYLESS_CAPTURES_PER_HOUR,
  windowSeconds: 60 * 60,
  refusal: `This network has made its ${KEYLESS_CAPTURES_PER_HOUR} captures without an API key in this hour`,
};

const perDay = (limit: number): AttemptLimit => ({
  kind: `${KEYLESS_ATTEMPTS}day`,
  limit,
  windowSeconds: 24 * 60 * 60,
  refusal: "The captures without an API key of this day are used up",
});

/** The subject of what counts for all networks together. */
const ALL = "all";

/** A capture that has not ended by then has died with its function, whose timeout is shorter. */
const MAX_DURATION_MS = 60_000;
const RETRY_AFTER_S = 3;

export type KeylessLimits = Pick<
  Environment,
  "USAGE_TABLE" | "KEYLESS_CAPTURES_PER_DAY" | "MAX_CONCURRENT_KEYLESS_CAPTURES"
>;

/**
 * Counts a request at `now` (milliseconds since 1970) for the network of the caller. A request that the cache answers counts
 * too, so that pictures can't be fetched in bulk. Throws `RATE_LIMITED`.
 */
export function countForNetwork(
  { sourceIp, now }: { readonly sourceIp: string; readonly now: number },
  { USAGE_TABLE }: Pick<KeylessLimits, "USAGE_TABLE">,
): Promise<CountedAttempt> {
  return countAttempt(USAGE_TABLE, perNetwork, { subject: shortenAddress(sourceIp), now });
}

/**
 * Counts a browser that is started at `now` (milliseconds since 1970) ahead of a capture: for the network and for the day, which may each
 * have as many of them as captures. Resolves to false where there are no more of either: then the browser must not be started.
 */
export async function countLaunchAhead(
  { sourceIp, now }: { readonly sourceIp: string; readonly now: number },
  { USAGE_TABLE, KEYLESS_CAPTURES_PER_DAY }: Pick<KeylessLimits, "USAGE_TABLE" | "KEYLESS_CAPTURES_PER_DAY">,
): Promise<boolean> {
  return (
    (await addLaunch(USAGE_TABLE, perNetwork, { subject: shortenAddress(sourceIp), now })) &&
    (await addLaunch(USAGE_TABLE, perDay(KEYLESS_CAPTURES_PER_DAY), { subject: ALL, now }))
  );
}

/** Counts in the item of the captures. Resolves to false, and counts nothing, if either number has reached the limit. */
async function addLaunch(
  table: string,
  limit: AttemptLimit,
  counted: { readonly subject: string; readonly now: number },
): Promise<boolean> {
  const { Key, endsAt } = attemptsItem(limit, counted);
  const { isChanged } = await updateItem(table, Key, {
    update: "SET #ttl = :ttl ADD launches :one",
    condition:
      "(attribute_not_exists(attempts) OR attempts < :limit) AND (attribute_not_exists(launches) OR launches < :limit)",
    values: { ":ttl": endsAt, ":one": 1, ":limit": limit.limit },
  });
  return isChanged;
}

/**
 * Starts a capture at `now` (milliseconds since 1970), which uses one of the day's, also if it fails. Throws `CAPACITY` when the
 * maximum is running, or when the day's are used up. Its blame is the caller's, so that a day that is used up raises no alarm.
 */
export async function startKeylessCapture(
  now: number,
  { USAGE_TABLE, KEYLESS_CAPTURES_PER_DAY, MAX_CONCURRENT_KEYLESS_CAPTURES }: KeylessLimits,
): Promise<RunningOperation> {
  const limit = MAX_CONCURRENT_KEYLESS_CAPTURES;
  const count = { table: USAGE_TABLE, key: keylessCapturesKey, limit, maxDurationMs: MAX_DURATION_MS };
  const running = await startOperation({ ...count, whenThrottled: "refuse" }, now);
  if (!running)
    throw capacityError(`Too many captures without an API key are running. Try again in ${RETRY_AFTER_S} s.`);
  try {
    await countAttempt(USAGE_TABLE, perDay(KEYLESS_CAPTURES_PER_DAY), { subject: ALL, now });
    return running;
  } catch (error) {
    await cleanUp(() => running.release(), "keyless capture not released"); // it expires
    if (error instanceof ApiError) throw capacityError(error.message, error.headers);
    throw error;
  }
}

function capacityError(
  message: string,
  headers: Readonly<Record<string, string>> = { "Retry-After": String(RETRY_AFTER_S) },
): ApiError {
  return new ApiError("CAPACITY", message, { headers, blame: "caller" });
}
