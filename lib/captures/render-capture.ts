// A capture on behalf of a caller: taken, stored where asked, and logged whether it succeeded or not.

import type { LazyBrowser } from "../engine/browser/browser-launcher.ts";
import { capture } from "../engine/pipeline/capture.ts";
import type { Capture } from "../engine/pipeline/capture-output.ts";
import type { PhaseClock } from "../engine/pipeline/phase-clock.ts";
import { ApiError, internalError } from "../errors/api-error.ts";
import type { CaptureOptions } from "../options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { storeCapture } from "../results/stored-capture-store.ts";
import type { TransactionItem } from "../usage/usage-store.ts";
import { cacheName } from "./cache-plan.ts";
import { type AuthorizedCapture, requireQuota } from "./capture-admission.ts";
import { createLoggedRequest, failure, type Outcome, recordOutcome, success } from "./record-capture.ts";
import { type SaveToCustomerStorage, saveToCustomerStorage } from "./save-to-customer-storage.ts";

/** What a caller wants captured. */
export interface CaptureRequest extends AuthorizedCapture {
  readonly options: CaptureOptions;
  /** The options as the caller sent them, for the log. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly sourceIp: string;
  readonly requestId: number;
  /** When its time began, on the monotonic clock. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
}

/** The parts of the environment in which a capture leaves its traces. */
export type CaptureResources = Pick<
  Environment,
  "USAGE_TABLE" | "USAGE_RETENTION_DAYS" | "ACTIVITY_TABLE" | "RESULTS_BUCKET"
>;

/** A capture that was taken or found, with all that an answer tells of it. */
export interface RenderedCapture
  extends Pick<Capture, "format" | "mimeType" | "finalUrl" | "statusCode" | "warnings" | "metadata"> {
  readonly requestId: number;
  /** Milliseconds since the order's time began. */
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  /** Since when what was found is stale, in milliseconds since 1970; undefined where it is not. */
  readonly staleSince: number | undefined;
  readonly sizeBytes: number;
  /** Undefined where it was found in the cache and the answer does not have it. */
  readonly body: Buffer | undefined;
  /** Where it is stored, if it is. */
  readonly stored: StoredCapture | undefined;
  /** Its address in the caller's own storage, where it was put there and that is to be told. */
  readonly storageLocation?: string;
}

/** How an order ended, as whoever records something along with its log is told. */
export type CaptureEnd = { readonly responseTimeMs: number } & (
  | { readonly stored: StoredCapture | undefined; readonly fromCache: boolean }
  | { readonly error: ApiError }
);

export interface TakeOptions {
  readonly browser: LazyBrowser;
  /** Seconds for which the result is kept; undefined where it is only handed to the caller. */
  readonly keptSeconds: number | undefined;
  /** What is written in one transaction with the log. */
  readonly companions?:
    | ((end: CaptureEnd) => Promise<readonly TransactionItem[]> | readonly TransactionItem[])
    | undefined;
  /** True for an error that does not end the order, because it will be taken again: then it is not logged. */
  readonly isRetried?: (error: ApiError) => boolean;
}

/**
 * Takes a capture and logs it. Throws the ApiError of a failed capture once that is logged, and `QUOTA_EXCEEDED` of one
 * that is not attempted.
 */
export async function renderCapture(
  order: CaptureRequest,
  { browser, keptSeconds, companions, isRetried = () => false }: TakeOptions,
  places: CaptureResources,
): Promise<RenderedCapture> {
  requireQuota(order);
  let taken: Capture;
  let handedIn: HandedIn;
  try {
    const put = saveToCustomerStorage(order);
    taken = await capture(order.options, { ...order, browser });
    const { beginFrameUnavailable } = taken;
    if (beginFrameUnavailable !== undefined)
      logInfo("not painted on demand", { request_id: order.requestId, reason: beginFrameUnavailable });
    handedIn = await handIn(taken, { order, put, keptSeconds }, places);
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    if (!isRetried(error)) await record(order, { outcome: failure(error), end: { error }, companions }, places);
    throw error;
  }
  const sizeBytes = taken.body.length;
  const end = { stored: handedIn.stored, fromCache: false };
  const requestId = await record(order, { outcome: success(sizeBytes), end, companions }, places);
  const facts = { requestId, responseTimeMs: elapsed(order), fromCache: false, staleSince: undefined, sizeBytes };
  return { ...taken, ...facts, ...handedIn };
}

type HandedIn = Pick<RenderedCapture, "stored" | "storageLocation">;

interface HandIn extends Pick<TakeOptions, "keptSeconds"> {
  readonly order: CaptureRequest;
  readonly put: SaveToCustomerStorage | undefined;
}

/** Stores a capture where it is wanted: with us, in the caller's own storage, or both at once. */
async function handIn(
  taken: Capture,
  { order, put, keptSeconds }: HandIn,
  places: CaptureResources,
): Promise<HandedIn> {
  const [keeping, putting] = await order.clock.measure("store", () =>
    Promise.allSettled([
      keptSeconds === undefined ? undefined : keep(taken, order.options, keptSeconds, places),
      put?.(taken),
    ]),
  );
  if (putting.status === "rejected") throw putting.reason;
  if (keeping.status === "rejected") throw keeping.reason;
  const told = order.options.storage_return_location ? putting.value : undefined;
  if (told === undefined) return { stored: keeping.value };
  return { stored: keeping.value && { ...keeping.value, storage_location: told }, storageLocation: told };
}

/** A stored capture that was found, with its bytes where the answer has them. */
export interface FoundCapture extends Pick<RenderedCapture, "staleSince"> {
  readonly stored: StoredCapture;
  /** True where who uses the stored result has to add a reference to it. */
  readonly isReferenceCounted: boolean;
  readonly body: Buffer | undefined;
}

/** Logs that an order was answered by what is stored already, which costs nothing. */
export async function respondFromCache(
  order: CaptureRequest,
  {
    found: { stored, staleSince, body },
    companions,
  }: Pick<TakeOptions, "companions"> & { readonly found: FoundCapture },
  places: CaptureResources,
): Promise<RenderedCapture> {
  const outcome = { ...success(stored.size_bytes), cached: true };
  const requestId = await record(order, { outcome, end: { stored, fromCache: true }, companions }, places);
  return {
    ...foundCapture(stored),
    body,
    sizeBytes: stored.size_bytes,
    requestId,
    responseTimeMs: elapsed(order),
    fromCache: true,
    staleSince,
    stored,
  };
}

/** Logs an order that failed because the capture did that was taken for others, too. */
export async function recordSharedFailure(
  order: CaptureRequest,
  { error, companions }: Pick<TakeOptions, "companions"> & { readonly error: ApiError },
  places: CaptureResources,
): Promise<void> {
  await record(order, { outcome: failure(error), end: { error }, companions }, places);
}

function foundCapture({ format, mime_type, final_url, status_code, warnings, metadata }: StoredCapture) {
  return { format, mimeType: mime_type, finalUrl: final_url, statusCode: status_code, warnings, metadata };
}

function elapsed({ startedAt }: CaptureRequest): number {
  return Math.round(performance.now() - startedAt);
}

function keep(taken: Capture, options: CaptureOptions, lifetimeSeconds: number, places: CaptureResources) {
  // Shown, a document would run its scripts at the bucket's address, which cannot forbid it and is that of all results.
  const isPage = taken.format === "html" || taken.format === "mhtml";
  const name = cacheName(options) ?? (isPage ? `page.${taken.format}` : undefined);
  const disposition = contentDisposition(name);
  return storeCapture(places.RESULTS_BUCKET, taken, { lifetimeSeconds, disposition });
}

interface End extends Pick<TakeOptions, "companions"> {
  readonly outcome: Outcome;
  readonly end: DistributiveOmit<CaptureEnd, "responseTimeMs">;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What is prepared for the transaction belongs to its time. */
function record(order: CaptureRequest, { outcome, end, companions }: End, places: CaptureResources): Promise<number> {
  const { allowance, requestId, clock } = order;
  const responseTimeMs = elapsed(order);
  return clock.measure("store", async () => {
    const accompanying = (await companions?.({ ...end, responseTimeMs })) ?? [];
    const ended = { order: createLoggedRequest(order), allowance, requestId, outcome, responseTimeMs };
    return recordOutcome({ ...ended, companions: accompanying }, places);
  });
}
