// Single-flight for requests with `outputs`: of equal requests that use the cache, one loads the page, and the others wait for its results.

import { acquireCached, type CachedCapture } from "../captures/cache-lookup.ts";
import type { CaptureResources } from "../captures/capture-request.ts";
import { completeLease, type Lease, releaseLease, waitForRelease } from "../captures/lease-store.ts";
import { acquireOrFindLeader, newLease, waitTimedOut } from "../captures/single-flight.ts";
import type { OutputRequest } from "./output-request.ts";
import { findAllCached } from "./plan-outputs.ts";

/** What a request gets: the results of another one, or leave to capture, under a lease if others may wait for its results. */
export type OutputsFlight = { readonly cached: readonly CachedCapture[] } | { readonly lease: Lease | undefined };

/**
 * Acquires the lease of the outputs of a request, or waits until its `timeout` for the request that holds it. If the results of that
 * one aren't cached, since an output failed, the request captures by itself, at the same time as others that have waited. Throws
 * `CAPTURE_TIMEOUT`.
 */
export async function joinOutputsFlight(
  outputs: readonly OutputRequest[],
  env: CaptureResources,
): Promise<OutputsFlight> {
  const captures = outputs.map(({ capture }) => capture);
  const [first] = captures;
  const isWhole = first?.group?.size === captures.length && captures.every(({ cache }) => cache);
  if (!first?.cache || first.cache.isRefreshed || !isWhole) return { lease: undefined };
  const { clock, deadline, job, options } = first;
  const lease = newLease(first, first.cache, env);
  const isGranted = captures.every(({ reservation }) => reservation.isGranted);
  for (;;) {
    const leader = await acquireOrFindLeader(lease, { isGranted });
    const waiting = (holder: string) => waitForRelease({ ...lease, holder }, deadline, job?.cancellation);
    const end = leader && (await clock.measure("capture", () => waiting(leader.holder)));
    if (end === "late") throw waitTimedOut(options.timeout);
    const cached = await acquireAllCached(outputs, await findAllCached(captures, env), env);
    if (cached && !leader) await releaseLease(lease);
    if (cached) return { cached };
    if (end !== "gone") return { lease: leader ? undefined : lease };
  }
}

/** Adds the references of a request to cached results; undefined if there are none, or no longer all. */
export async function acquireAllCached(
  outputs: readonly OutputRequest[],
  cached: readonly CachedCapture[] | undefined,
  env: Pick<CaptureResources, "ACTIVITY_TABLE">,
): Promise<readonly CachedCapture[] | undefined> {
  if (!cached) return undefined;
  const acquired = await Promise.all(outputs.map(({ capture }, index) => acquireCached(cached[index], capture, env)));
  const hits = acquired.flatMap((hit) => hit ?? []);
  return hits.length === outputs.length ? hits : undefined;
}

/** Releases a lease, so that the requests that wait find the cached results, or know that there are none. Never rejects: it expires. */
export async function endOutputsFlight(lease: Lease | undefined, isCached: boolean): Promise<void> {
  if (!lease) return;
  const ending = isCached ? releaseLease(lease) : completeLease(lease, { outcome: NOT_CACHED, expiresAt: Date.now() });
  await ending.catch(() => undefined);
}

const NOT_CACHED = "not cached";
