// A capture that may be in the cache: found there, taken once for all who want it at this moment, or taken anew.
import { randomBytes } from "node:crypto";
import { leaseKey } from "../aws/table-keys.ts";
import type { LazyBrowser } from "../engine/browser/browser-launcher.ts";
import { ApiError } from "../errors/api-error.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import { packCapture, packedObject } from "../results/packed-capture-writes.ts";
import { addReference, type Referrer, referenceWrites } from "../results/reference-store.ts";
import { hasResult } from "../results/result-store.ts";
import { readBody } from "../results/stored-capture-store.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import { type CachePlan, cachedLifetime, cachedTimes } from "./cache-plan.ts";
import { cacheWrite, findInCache } from "./cache-store.ts";
import { requireQuota } from "./capture-admission.ts";
import {
  acquireLease,
  completion,
  heartbeat,
  type Lease,
  type LeaseState,
  readLeaseState,
  releaseLease,
  releaseUpdate,
  waitForRelease,
} from "./lease-store.ts";
import {
  type CaptureEnd,
  type CaptureRequest,
  type CaptureResources,
  type FoundCapture,
  type RenderedCapture,
  recordSharedFailure,
  renderCapture,
  respondFromCache,
  type TakeOptions,
} from "./render-capture.ts";
import { fromSharedFailure, toSharedFailure } from "./shared-failure.ts";

/** A capture that is looked for. */
export interface Search {
  readonly plan: CachePlan | undefined;
  readonly accountId: number;
  /** True where its bytes are needed, and not only what is known of it. */
  readonly withBody: boolean;
}

/** What the cache has of it. Nothing is looked for without a plan, or where what is cached is to be replaced. */
export async function findCapture(
  { plan, accountId, withBody }: Search,
  { ACTIVITY_TABLE, RESULTS_BUCKET }: Pick<CaptureResources, "ACTIVITY_TABLE" | "RESULTS_BUCKET">,
): Promise<FoundCapture | undefined> {
  if (!plan || plan.isRefreshed) return undefined;
  const { hash, toleratedSeconds } = plan;
  const cached = await findInCache(ACTIVITY_TABLE, { accountId, hash }, { now: Date.now(), toleratedSeconds });
  const stored = cached && (await unpackCapture(RESULTS_BUCKET, cached.capture));
  if (!stored) return undefined;
  const { staleSince, isReferenceCounted } = cached;
  const found = { stored, staleSince, isReferenceCounted };
  // Its owner may have deleted the object.
  if (!withBody) return (await hasResult(RESULTS_BUCKET, stored.key)) ? { ...found, body: undefined } : undefined;
  const body = await readBody(RESULTS_BUCKET, stored);
  return body && { ...found, body };
}

export interface CachedCaptureOptions extends Omit<TakeOptions, "browser">, Omit<Search, "accountId"> {
  /** Begins the browser, unless that was begun already. */
  readonly browser: () => LazyBrowser;
  /** What a search that was made already has found. */
  readonly found?: FoundCapture | undefined;
  /** Who refers to the stored result beyond the answer; undefined where the answer needs nothing but the bytes. */
  readonly referrer?: Referrer | undefined;
}

/**
 * Answers an order from the cache or takes its capture, and logs it either way. Of several at once that want the same,
 * one takes it; the others wait for it as long as their own `timeout` lets them. When it fails, so do they, unless the
 * fault is ours or they have another time: then the next one tries. Throws as `takeCapture` does.
 */
export async function captureThroughCache(
  order: CaptureRequest,
  { plan, withBody, found, ...how }: CachedCaptureOptions,
  places: CaptureResources,
): Promise<RenderedCapture> {
  const accountId = order.caller.account.id;
  const refer = (other: FoundCapture | undefined) => referredTo(other, { accountId, referrer: how.referrer }, places);
  const usable = await refer(found);
  if (usable) return respondFromCache(order, { ...how, found: usable }, places);
  if (!plan) return renderCapture(order, { ...how, browser: how.browser() }, places);
  const lease = plan.isRefreshed ? undefined : leaseOf(order, plan, places);
  const use: CacheUse = { plan, lease, how, places };
  if (!lease) return takeAndCache(order, use);
  const find = async () => refer(await findCapture({ plan, withBody, accountId }, places));
  for (;;) {
    const other = await turn(order, lease);
    if (!other) {
      const finished = await find(); // by whoever had the turn since this was looked for
      if (!finished) return takeInTurn(order, { ...use, lease });
      await releaseLease(lease);
      return respondFromCache(order, { ...how, found: finished }, places);
    }
    const error = await failureOf(other, order, lease);
    if (error) {
      await recordSharedFailure(order, { ...how, error }, places);
      throw error;
    }
    const finished = await find();
    if (finished) return respondFromCache(order, { ...how, found: finished }, places);
  }
}

/** What was found, once it is referred to; undefined where it has been deleted meanwhile. */
async function referredTo(
  found: FoundCapture | undefined,
  { accountId, referrer }: { readonly accountId: number; readonly referrer: Referrer | undefined },
  { ACTIVITY_TABLE }: CaptureResources,
): Promise<FoundCapture | undefined> {
  if (!found?.isReferenceCounted || referrer === undefined) return found;
  const result = { accountId, key: found.stored.key };
  return (await addReference(ACTIVITY_TABLE, result, referrer)) ? found : undefined;
}

interface CacheUse {
  readonly plan: CachePlan;
  /** Undefined for a capture that waits for nobody, and for which nobody waits. */
  readonly lease: Lease | undefined;
  readonly how: Omit<TakeOptions, "browser"> & Pick<CachedCaptureOptions, "browser" | "referrer">;
  readonly places: CaptureResources;
}

function leaseOf(
  { caller, allowance }: CaptureRequest,
  { hash }: CachePlan,
  { ACTIVITY_TABLE }: CaptureResources,
): Lease {
  // An order that comes again after its function was killed is another holder.
  const holder = `${allowance.attempt}-${randomBytes(8).toString("hex")}`;
  return { table: ACTIVITY_TABLE, key: leaseKey(caller.account.id, hash), holder };
}

/** Who has the turn; undefined when nobody else does. Then it is this order's, unless nothing is left for it. */
async function turn(order: CaptureRequest, lease: Lease): Promise<LeaseState | undefined> {
  const now = Date.now();
  if (!order.refusal) return acquireLease(lease, { now, mark: timeOf(order) });
  const standing = await readLeaseState(lease);
  return standing && standing.outcome === undefined && now < standing.until ? standing : undefined;
}

/** The time that an order has: the same page can fail one that has little of it, and not another one. */
function timeOf({ options }: CaptureRequest): string {
  return `${options.timeout} ${options.navigation_timeout}`;
}

/**
 * Waits for the other one's end. Resolves to the error of a failure, where that had as much time, and to the error of a
 * wait which took too long.
 */
async function failureOf(other: LeaseState, order: CaptureRequest, lease: Lease): Promise<ApiError | undefined> {
  const deadline = order.startedAt + order.options.timeout * 1000;
  const end = await order.clock.measure("capture", () => waitForRelease({ ...lease, holder: other.holder }, deadline));
  if (end === "late") return stillUnderWay(order.options.timeout);
  return end === "gone" || other.mark !== timeOf(order) ? undefined : fromSharedFailure(end.outcome);
}

function stillUnderWay(seconds: number): ApiError {
  const awaited = "the same capture, which another request has begun, is still under way";
  const message = `The capture did not finish within ${seconds} s: ${awaited}. Try again, or raise timeout.`;
  return new ApiError("CAPTURE_TIMEOUT", message, { details: { capture: [awaited] } });
}

async function takeInTurn(order: CaptureRequest, use: CacheUse & { readonly lease: Lease }): Promise<RenderedCapture> {
  requireQuota(order);
  using _ = heartbeat(use.lease);
  try {
    return await takeAndCache(order, use);
  } catch (error) {
    // Where its end could not be told, or was none. It ends by itself, too.
    await releaseLease(use.lease).catch(() => undefined);
    throw error;
  }
}

function takeAndCache(order: CaptureRequest, { plan, lease, how, places }: CacheUse): Promise<RenderedCapture> {
  const companions = async (end: CaptureEnd) => [
    ...((await how.companions?.(end)) ?? []),
    ...("error" in end ? telling(end.error, lease) : await keeping(order, end, { plan, lease, how, places })),
  ];
  const keptSeconds = Math.max(how.keptSeconds ?? 0, cachedLifetime(plan));
  return renderCapture(order, { ...how, browser: how.browser(), keptSeconds, companions }, places);
}

/** Those who wait fail with it, unless the fault is ours: another try may succeed. */
function telling(error: ApiError, lease: Lease | undefined): TransactionItem[] {
  if (!lease) return [];
  if (error.blame === "us") return [{ write: releaseUpdate(lease) }];
  return [{ write: completion(lease, { outcome: toSharedFailure(error), expiresAt: Date.now() }) }];
}

async function keeping(
  { caller }: CaptureRequest,
  { stored }: Extract<CaptureEnd, { stored: unknown }>,
  { plan, lease, how: { referrer }, places }: CacheUse,
): Promise<TransactionItem[]> {
  if (!stored) return [];
  const { ACTIVITY_TABLE } = places;
  const accountId = caller.account.id;
  const { key, expires_at: expiresAt } = stored;
  const times = cachedTimes(plan, expiresAt, Date.now());
  const capture = await packCapture(places.RESULTS_BUCKET, stored);
  // Only a job can be deleted: a result of a request that was waited for stays until it expires.
  const isCounted = typeof referrer === "number";
  const countedKey = isCounted ? key : undefined;
  const entry = cacheWrite(ACTIVITY_TABLE, { accountId, hash: plan.hash }, { capture, countedKey, ...times });
  const facts = { cachedFacts: packedObject(capture), expiresAt };
  const references = isCounted
    ? [{ write: referenceWrites(ACTIVITY_TABLE, { accountId, key }, { referrer, ...facts }) }]
    : [];
  return [{ write: entry }, ...references, ...(lease ? [{ write: releaseUpdate(lease) }] : [])];
}
