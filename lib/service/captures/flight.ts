// Single-flight (request coalescing): one capture at a time per cache key; the other requests for it wait for its results.
import { randomBytes } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import { leaseKey } from "../aws/table-keys.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import type { CachePolicy } from "./cache-key.ts";
import { acquireAllCached, type CachedCapture, findAllCached } from "./cache-lookup.ts";
import type { CaptureRequest, CaptureResources } from "./capture-request.ts";
import {
  acquireLease,
  completeLease,
  completionUpdate,
  heartbeat,
  type Lease,
  type LeaseState,
  readLeaseState,
  releaseLease,
  releaseUpdate,
  waitForRelease,
} from "./lease-store.ts";
import { fromSharedFailure, toSharedFailure } from "./shared-failure.ts";

/** What a request gets: the results that another request rendered, or leave to render, under a lease if others may wait for its results. */
export type Flight = { readonly cached: readonly CachedCapture[] } | { readonly lead: FlightLead | undefined };

/** Stored for the requests that wait when the results of a group are not cached, since an output failed. */
const NOT_CACHED = "not cached";

/**
 * Acquires the lease of a request that uses the cache, or waits until its `timeout` for the request that holds it. Throws
 * `CAPTURE_TIMEOUT`, and the error with which the other request failed if failures are shared, unless that is our fault or it had another
 * timeout: then the next request renders. Where failures are not shared, all that have waited render at the same time.
 */
export async function joinFlight(captures: readonly CaptureRequest[], env: CaptureResources): Promise<Flight> {
  const [first] = captures;
  const isWhole = captures.length === (first?.group?.size ?? 1) && captures.every(({ cache }) => cache);
  if (!first?.cache || first.cache.isRefreshed || !isWhole) return { lead: undefined };
  const { cache, clock, deadline, job, options } = first;
  const lease = newLease(first, cache, env);
  const isGranted = captures.every(({ reservation }) => reservation.isGranted);
  const tag = cache.sharesFailures ? failureTag(first) : undefined;
  for (;;) {
    const leader = await acquireOrFindLeader(lease, { isGranted, tag });
    const waiting = (holder: string) => waitForRelease({ ...lease, holder }, deadline, job?.cancellation);
    const end = leader && (await clock.measure("capture", () => waiting(leader.holder)));
    if (end === "late") throw waitTimedOut(options.timeout);
    const outcome = end === "gone" ? undefined : end?.outcome;
    if (outcome !== undefined && tag !== undefined && leader?.tag === tag) throw fromSharedFailure(outcome);
    const cached = await acquireAllCached(captures, await findAllCached(captures, env), env);
    if (cached && !leader) await releaseLease(lease);
    if (cached) return { cached };
    if (!leader) return { lead: isGranted ? new FlightLead(lease, cache) : undefined };
    if (outcome !== undefined && !cache.sharesFailures) return { lead: undefined };
  }
}

/** How the captures of a request ended, as far as those that wait for them are concerned. */
type FlightOutcome = { readonly error: ApiError } | { readonly completed: object };

/** The flight of a request that holds the lease, with a heartbeat. Its disposal releases the lease, unless a commit of its captures did. */
export class FlightLead implements AsyncDisposable {
  readonly #lease: Lease;
  readonly #sharesFailures: boolean;
  readonly #heartbeat: Disposable;
  #isOver = false;

  constructor(lease: Lease, { sharesFailures }: CachePolicy) {
    this.#lease = lease;
    this.#sharesFailures = sharesFailures;
    this.#heartbeat = heartbeat(lease);
  }

  /** The end of the flight, which the last capture commits. */
  prepareCommit(outcomes: readonly FlightOutcome[]): FlightCommit {
    const failed = outcomes.find((each) => "error" in each);
    const settle = () => {
      this.#isOver = true;
    };
    return { lease: this.#lease, outcome: failed && this.#failureOutcome(failed.error), settle };
  }

  /** Undefined where the next request that waits is to try. */
  #failureOutcome(error: ApiError): string | undefined {
    if (!this.#sharesFailures) return NOT_CACHED;
    return error.blame === "us" ? undefined : toSharedFailure(error);
  }

  /** Never rejects: the lease expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#heartbeat[Symbol.dispose]();
    if (this.#isOver) return;
    const ending = this.#sharesFailures
      ? releaseLease(this.#lease)
      : completeLease(this.#lease, { outcome: NOT_CACHED, expiresAt: Date.now() });
    await ending.catch(() => undefined);
  }
}

/** How a flight ends with the commit of a capture. */
export interface FlightCommit {
  readonly lease: Lease;
  /** For the requests that wait; undefined when the results are cached, or the next request is to try. */
  readonly outcome: string | undefined;
  /** Called once it is committed. */
  readonly settle: () => void;
}

/** The write that ends a flight with the commit of a capture that ended at `endedAt` (milliseconds since 1970). */
export function flightCommitWrites({
  flight,
  endedAt,
}: {
  readonly flight?: FlightCommit | undefined;
  readonly endedAt: number;
}): TransactionItem[] {
  if (!flight) return [];
  const { lease, outcome } = flight;
  if (outcome === undefined) return [{ write: releaseUpdate(lease) }];
  return [{ write: completionUpdate(lease, { outcome, expiresAt: endedAt }) }];
}

/** The lease of a cache key, for a request that acquires it. */
function newLease(
  { reservation }: Pick<CaptureRequest, "reservation">,
  cache: CachePolicy,
  env: Pick<CaptureResources, "ACTIVITY_TABLE">,
): Lease {
  // A job that is handed out again after its worker was killed is another holder.
  const holder = `${reservation.allowance.attempt}-${randomBytes(8).toString("hex")}`;
  return { table: env.ACTIVITY_TABLE, key: leaseKey(cache.accountId, cache.key), holder };
}

/** Acquires the lease, unless the request has no quota to render. Returns the holder if another request has it. */
async function acquireOrFindLeader(
  lease: Lease,
  { isGranted, tag }: { readonly isGranted: boolean; readonly tag: string | undefined },
): Promise<LeaseState | undefined> {
  const now = Date.now();
  if (isGranted) return acquireLease(lease, { now, ...(tag !== undefined && { tag }) });
  const leader = await readLeaseState(lease);
  return leader && leader.outcome === undefined && now < leader.until ? leader : undefined;
}

/** The same page can fail a request with a short timeout or without further attempts, and not another one. */
function failureTag({ options }: CaptureRequest): string {
  const { timeout, navigation_timeout, retry_on } = options;
  return `${timeout} ${navigation_timeout}${retry_on ? ` ${JSON.stringify(retry_on)}` : ""}`;
}

/** The error of a request that has waited for another one until its timeout of `seconds`. */
function waitTimedOut(seconds: number): ApiError {
  const awaited = "the same capture, which another request started, is still running";
  const message = `The capture did not finish within ${seconds} s: ${awaited}. Try again, or raise timeout.`;
  return new ApiError("CAPTURE_TIMEOUT", message, { details: { capture: [awaited] } });
}
