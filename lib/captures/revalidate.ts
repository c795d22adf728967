// What the cache has beyond its time: taken anew in the background once it has answered a request.
import { randomUUID } from "node:crypto";
import type { ApiRequest } from "../api/http/api-request.ts";
import { revalidationKey } from "../aws/table-keys.ts";
import { PhaseClock } from "../engine/pipeline/phase-clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { parseCaptureOptions } from "../options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";
import { createId } from "../platform/ids.ts";
import { logError } from "../platform/log.ts";
import { cacheName } from "./cache-plan.ts";
import { admitFurther } from "./capture-admission.ts";
import { type EnqueueResources, enqueueCapture } from "./enqueue-capture.ts";
import { acquireLease, type Lease } from "./lease-store.ts";
import type { CaptureRequest } from "./render-capture.ts";

/** What answered a request although its time is over. */
export interface StaleCapture {
  /** The order that it answered. */
  readonly order: CaptureRequest;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly staleSince: number;
}

/**
 * Orders the capture that replaces it, unless that has been done, or nothing is left of the account's quota or of its
 * captures in the background. It is no request, and does not count as one. Never rejects: its request is answered.
 */
export async function revalidate(
  request: ApiRequest,
  stale: StaleCapture,
  places: EnqueueResources & Pick<Environment, "ACCOUNTS_TABLE">,
): Promise<void> {
  const { order } = stale;
  try {
    const now = Date.now();
    const leaseMs = order.options.timeout * 1000 + WAITING_MS;
    if (await acquireLease(leaseOf(stale, places), { now, leaseMs })) return;
    const sent = revalidationOptions(order);
    const options = parseCaptureOptions(sent);
    const admitted = await admitFurther(request, { caller: order.caller, options, isCounted: true }, places);
    const requestId = createId(now, Math.random());
    await enqueueCapture({ ...order, ...admitted, sent, options, requestId, clock: new PhaseClock() }, places);
  } catch (error) {
    const isRefused = error instanceof ApiError && ["QUOTA_EXCEEDED", "RATE_LIMITED"].includes(error.code);
    if (!isRefused) logError("a stale capture could not be refreshed", error, { request_id: order.requestId });
  }
}

/** A capture in the background begins within this time, unless very many are waiting. */
const WAITING_MS = 30_000;

/**
 * Whoever finds the same has one name for it, and whoever finds the next one has another: a lease is not given up. It
 * ends where the capture failed or was refused, and then another request has it tried again.
 */
function leaseOf({ order, hash, staleSince }: StaleCapture, { ACTIVITY_TABLE }: EnqueueResources): Lease {
  const key = revalidationKey(order.caller.account.id, hash, staleSince);
  return { table: ACTIVITY_TABLE, key, holder: randomUUID() };
}

/** The options of the capture that replaces what answered an order: as they were sent, but in the background. */
export function revalidationOptions({
  sent,
  options,
}: Pick<CaptureRequest, "sent" | "options">): CaptureRequest["sent"] {
  // There each result is stored under its name, and would be another one where it had none.
  const { attachment_name, ...unnamed } = sent;
  return { ...(cacheName(options) === undefined ? unnamed : sent), async: true, cache_refresh: true };
}
