// stale-while-revalidate: a stale result that answered a request is captured again, asynchronously.
import { randomUUID } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import { revalidationKey } from "../aws/table-keys.ts";
import { type EnqueueResources, reserveAndEnqueue } from "../jobs/enqueue.ts";
import { createId } from "../platform/ids.ts";
import { logError } from "../platform/log.ts";
import { storedAttachmentName } from "./cache-key.ts";
import type { CacheAddress } from "./cache-store.ts";
import type { RequestedCapture } from "./capture-request.ts";
import { acquireLease, type Lease } from "./lease-store.ts";
import { parseRawOptions } from "./parse.ts";

/** A request that a stale result answered. */
export interface StaleRequest extends RequestedCapture {
  readonly cache: CacheAddress;
  /** Since when the result is stale, in milliseconds since 1970. */
  readonly staleSince: number;
}

/**
 * Enqueues the capture that replaces a stale result, once for all requests that it answers. Does nothing when the account
 * has no quota or no job slot left. It is no request, so it does not count against the rate limit. Never rejects: its
 * request is answered already.
 */
export async function revalidate(stale: StaleRequest, env: EnqueueResources): Promise<void> {
  const { caller, sourceIp } = stale;
  try {
    const now = Date.now();
    const leaseMs = stale.options.timeout * 1000 + QUEUE_WAIT_MS;
    if (await acquireLease(revalidationLease(stale, env), { now, leaseMs })) return;
    const rawOptions = revalidationOptions(stale);
    const requestId = createId(now, Math.random());
    await reserveAndEnqueue(parseRawOptions(rawOptions), { caller, sourceIp, requestId, receivedAt: now }, env);
  } catch (error) {
    const isRefused =
      error instanceof ApiError && ["QUOTA_EXCEEDED", "FREE_FAILURES_USED", "RATE_LIMITED"].includes(error.code);
    if (!isRefused) logError("revalidation failed", error, { request_id: stale.requestId });
  }
}

/** An asynchronous capture starts within this time, unless very many are queued. */
const QUEUE_WAIT_MS = 30_000;

/**
 * All requests that the same stale result answers share one lease. It is never released: it expires when the capture
 * failed or was refused, and then the next request tries again.
 */
function revalidationLease(
  { cache: { accountId, key }, staleSince }: StaleRequest,
  { ACTIVITY_TABLE }: EnqueueResources,
): Lease {
  return { table: ACTIVITY_TABLE, key: revalidationKey(accountId, key, staleSince), holder: randomUUID() };
}

/** The options of the capture that replaces a stale result: as they were sent, but asynchronous. */
export function revalidationOptions({
  rawOptions,
  options,
}: Pick<RequestedCapture, "rawOptions" | "options">): RequestedCapture["rawOptions"] {
  // A job stores its result under its file name, which would make it another result where there was none.
  const { attachment_name, ...unnamed } = rawOptions;
  return { ...(storedAttachmentName(options) === undefined ? unnamed : rawOptions), async: true, cache_refresh: true };
}
