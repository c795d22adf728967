// Single-flight (request coalescing): one capture at a time per cache key; the other requests for it wait for its result.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import { leaseKey } from "../aws/table-keys.ts";
import type { CachePolicy } from "./cache-key.ts";
import { acquireCached, type CachedCapture, findCached } from "./cache-lookup.ts";
import type { CaptureRequest, CaptureResources } from "./capture-request.ts";
import { endCapture } from "./commit.ts";
import {
  acquireLease,
  type Lease,
  type LeaseState,
  readLeaseState,
  releaseLease,
  waitForRelease,
} from "./lease-store.ts";
import { fromSharedFailure } from "./shared-failure.ts";

/** What a request gets: the lease under which it renders, or the result that another request rendered. */
export type Flight = { readonly lease: Lease } | { readonly cached: CachedCapture };

/**
 * Acquires the lease of a capture, or waits until its `timeout` for the request that holds it. Throws the error with which
 * the other request failed, unless that is our fault or it had another timeout: then the next request renders. Throws
 * `QUOTA_EXCEEDED` when it would have to render and nothing is left.
 */
export async function joinFlight(request: CaptureRequest, cache: CachePolicy, env: CaptureResources): Promise<Flight> {
  const lease = newLease(request, cache, env);
  for (;;) {
    const leader = await acquireOrFindLeader(lease, {
      isGranted: request.reservation.isGranted,
      tag: attemptLimits(request),
    });
    if (leader) await waitForLeader(leader, { request, lease }, env);
    const cached = await acquireCached(await findCached(request, env), request, env);
    if (cached) {
      if (!leader) await releaseLease(lease);
      return { cached };
    }
    if (leader) continue;
    request.reservation.require();
    return { lease };
  }
}

/** The lease of a cache key, for a request that acquires it. */
export function newLease(
  { reservation }: Pick<CaptureRequest, "reservation">,
  cache: CachePolicy,
  env: Pick<CaptureResources, "ACTIVITY_TABLE">,
): Lease {
  // A job that is handed out again after its worker was killed is another holder.
  const holder = `${reservation.allowance.attempt}-${randomBytes(8).toString("hex")}`;
  return { table: env.ACTIVITY_TABLE, key: leaseKey(cache.accountId, cache.key), holder };
}

/** Acquires the lease, unless the request has no quota to render. Returns the holder if another request has it. */
export async function acquireOrFindLeader(
  lease: Lease,
  { isGranted, tag }: { readonly isGranted: boolean; readonly tag?: string },
): Promise<LeaseState | undefined> {
  const now = Date.now();
  if (isGranted) return acquireLease(lease, { now, ...(tag !== undefined && { tag }) });
  const leader = await readLeaseState(lease);
  return leader && leader.outcome === undefined && now < leader.until ? leader : undefined;
}

/** The same page can fail a request with a short timeout or without further attempts, and not another one. */
function attemptLimits({ options }: CaptureRequest): string {
  const { timeout, navigation_timeout, retry_on } = options;
  return `${timeout} ${navigation_timeout}${retry_on ? ` ${JSON.stringify(retry_on)}` : ""}`;
}

/** Waits until the leader has finished. Records and throws its failure, or the timeout of the wait. */
async function waitForLeader(
  leader: LeaseState,
  { request, lease }: { readonly request: CaptureRequest; readonly lease: Lease },
  env: CaptureResources,
): Promise<void> {
  const waiting = () =>
    waitForRelease({ ...lease, holder: leader.holder }, request.deadline, request.job?.cancellation);
  const end = await request.clock.measure("capture", waiting);
  const isShared = end !== "late" && end !== "gone" && leader.tag === attemptLimits(request);
  const error = end === "late" ? waitTimedOut(request.options.timeout) : isShared && fromSharedFailure(end.outcome);
  if (!error) return;
  await endCapture(request, { error }, env);
  throw error;
}

/** The error of a request that has waited for another one until its timeout of `seconds`. */
export function waitTimedOut(seconds: number): ApiError {
  const awaited = "the same capture, which another request started, is still running";
  const message = `The capture did not finish within ${seconds} s: ${awaited}. Try again, or raise timeout.`;
  return new ApiError("CAPTURE_TIMEOUT", message, { details: { capture: [awaited] } });
}
