// Cache lookup: finds a result that answers a capture, and counts the reference of its new user.
import { unpackCapture } from "../results/packed-capture.ts";
import { addReference } from "../results/reference-store.ts";
import { hasResult } from "../results/result-store.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { readBody } from "../results/stored-capture-store.ts";
import type { CachePolicy } from "./cache-key.ts";
import { findInCache } from "./cache-store.ts";
import { type CaptureRequest, type CaptureResources, isAnsweredWithBody, resultReferrer } from "./capture-request.ts";
import { isRedirected } from "./response-size.ts";

/** A cached result. */
export interface CachedCapture {
  readonly stored: StoredCapture;
  /** The bytes, when the response carries them. */
  readonly body: Buffer | undefined;
  /** Until when it is fresh, in milliseconds since 1970. */
  readonly freshUntil: number;
  /** The same once it is stale; undefined while it is fresh. */
  readonly staleSince: number | undefined;
  /** True when a reference has to be added before it is used. */
  readonly isReferenceCounted: boolean;
}

type LookupResources = Pick<CaptureResources, "ACTIVITY_TABLE" | "RESULTS_BUCKET">;

/** The cached result of a capture; undefined when there is none, or when the cache is not to be read. */
async function findCached(
  {
    cache,
    ...delivery
  }: Pick<CaptureRequest, "options" | "job" | "startedAt" | "maxBodyBytes"> & {
    readonly cache: CachePolicy | undefined;
  },
  { ACTIVITY_TABLE, RESULTS_BUCKET }: LookupResources,
): Promise<CachedCapture | undefined> {
  if (!cache || cache.isRefreshed) return undefined;
  const entry = await findInCache(ACTIVITY_TABLE, cache, { now: Date.now(), toleratedSeconds: cache.toleratedSeconds });
  const stored = entry && (await unpackCapture(RESULTS_BUCKET, entry.capture));
  if (!stored) return undefined;
  const { freshUntil, staleSince, isReferenceCounted } = entry;
  const found = { stored, freshUntil, staleSince, isReferenceCounted };
  // The account may have deleted the object.
  if (!isAnsweredWithBody(delivery) || isRedirected(delivery, stored.size_bytes)) {
    return (await hasResult(RESULTS_BUCKET, stored.key)) ? { ...found, body: undefined } : undefined;
  }
  const body = await readBody(RESULTS_BUCKET, stored);
  return body && { ...found, body };
}

/** Adds the request's reference to a cached result. Returns undefined when the result was deleted meanwhile. */
async function acquireCached(
  cached: CachedCapture | undefined,
  request: CaptureRequest,
  { ACTIVITY_TABLE }: Pick<LookupResources, "ACTIVITY_TABLE">,
): Promise<CachedCapture | undefined> {
  const isLinked = cached?.body === undefined && isAnsweredWithBody(request);
  const referrer = isLinked ? "link" : resultReferrer(request);
  if (!cached?.isReferenceCounted || referrer === undefined) return cached;
  const result = { accountId: request.caller.account.id, key: cached.stored.key };
  return (await addReference(ACTIVITY_TABLE, result, referrer)) ? cached : undefined;
}

/** The cached results of the captures of a request, if all of them have one. */
export async function findAllCached(
  captures: readonly Parameters<typeof findCached>[0][],
  env: LookupResources,
): Promise<readonly CachedCapture[] | undefined> {
  const found = await Promise.all(captures.map((capture) => findCached(capture, env)));
  const hits = found.flatMap((hit) => hit ?? []);
  return hits.length === found.length ? hits : undefined;
}

/** Adds the references of a request to cached results; undefined if there are none, or no longer all. */
export async function acquireAllCached(
  captures: readonly CaptureRequest[],
  cached: readonly CachedCapture[] | undefined,
  env: Pick<LookupResources, "ACTIVITY_TABLE">,
): Promise<readonly CachedCapture[] | undefined> {
  if (!cached) return undefined;
  const acquired = await Promise.all(captures.map((capture, index) => acquireCached(cached[index], capture, env)));
  const hits = acquired.flatMap((hit) => hit ?? []);
  return hits.length === captures.length ? hits : undefined;
}
