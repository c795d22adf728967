// A capture on behalf of a caller: taken, stored where asked, and logged whether it succeeded or not.
import { settlementOfFailure, settlementOfSuccess } from "../accounts/quota-store.ts";
import { storedName } from "../cache/cache-plan.ts";
import { type Capture, capture } from "../capture/capture.ts";
import type { PhaseClock } from "../capture/phase-clock.ts";
import type { CaptureOptions } from "../contract/capture-options.ts";
import { ApiError, internalError } from "../contract/errors.ts";
import { contentDisposition } from "../contract/results.ts";
import type { Environment } from "../platform/environment.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { storeCapture } from "../results/stored-capture-store.ts";
import type { CaptureEvent } from "../usage/capture-log.ts";
import { loggableOptions, withoutPassword } from "../usage/loggable-options.ts";
import { type Companion, recordCapture } from "../usage/usage-store.ts";
import { type AdmittedCapture, requireQuota } from "./admission.ts";
import type { BegunBrowser } from "./browser-launcher.ts";

/** What a caller wants captured. */
export interface CaptureOrder extends AdmittedCapture {
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
export type CapturePlaces = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "USAGE_RETENTION_DAYS" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL"
>;

/** A capture that was taken or found, with all that an answer tells of it. */
export interface Taken
  extends Pick<Capture, "format" | "mimeType" | "finalUrl" | "statusCode" | "warnings" | "metadata"> {
  readonly requestId: number;
  /** Milliseconds since the order's time began. */
  readonly responseTimeMs: number;
  readonly fromCache: boolean;
  readonly sizeBytes: number;
  /** Undefined where it was found in the cache and the answer does not have it. */
  readonly body: Buffer | undefined;
  /** Where it is stored, if it is. */
  readonly stored: StoredCapture | undefined;
  /** Resolves when nothing is left of the browser, which takes Chromium up to half a second. Never rejects. */
  readonly cleanedUp: Promise<void>;
}

/** How an order ended, as whoever records something along with its log is told. */
export type CaptureEnd = { readonly stored: StoredCapture | undefined } | { readonly error: ApiError };

export interface TakeOptions {
  readonly browser: BegunBrowser;
  /** Seconds for which the result is kept; undefined where it is only handed to the caller. */
  readonly keptSeconds: number | undefined;
  /** What is written in one transaction with the log. */
  readonly companions?: (end: CaptureEnd) => Promise<readonly Companion[]> | readonly Companion[];
}

/**
 * Takes a capture and logs it. Throws the ApiError of a failed capture once that is logged, and `QUOTA_EXCEEDED` of one
 * that is not attempted.
 */
export async function takeCapture(
  order: CaptureOrder,
  { browser, keptSeconds, companions = () => [] }: TakeOptions,
  places: CapturePlaces,
): Promise<Taken> {
  requireQuota(order);
  const record = (outcome: Outcome, end: CaptureEnd) => recordEnd(order, outcome, companions(end), places);
  let taken: Capture & { cleanedUp: Promise<void> };
  let stored: StoredCapture | undefined;
  try {
    taken = await capture(order.options, { ...order, browser });
    if (keptSeconds !== undefined) stored = await keep(taken, order, keptSeconds, places);
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    await record(failure(error), { error });
    throw error;
  }
  const requestId = await record(success(taken.body.length), { stored });
  const sizeBytes = taken.body.length;
  return { ...taken, requestId, responseTimeMs: elapsed(order), fromCache: false, sizeBytes, stored };
}

/** A stored capture that was found, with its bytes where the answer has them. */
export interface FoundCapture {
  readonly stored: StoredCapture;
  readonly body: Buffer | undefined;
}

/** Logs that an order was answered by what is stored already, which costs nothing. */
export async function takeFromCache(
  order: CaptureOrder,
  {
    found: { stored, body },
    companions = () => [],
  }: Pick<TakeOptions, "companions"> & { readonly found: FoundCapture },
  places: CapturePlaces,
): Promise<Taken> {
  const outcome = { ...success(stored.size_bytes), cached: true };
  const requestId = await recordEnd(order, outcome, companions({ stored }), places);
  return {
    ...foundCapture(stored),
    body,
    sizeBytes: stored.size_bytes,
    requestId,
    responseTimeMs: elapsed(order),
    fromCache: true,
    stored,
    cleanedUp: Promise.resolve(),
  };
}

/** Logs an order that failed because the capture did that was taken for others, too. */
export async function failWithOthers(
  order: CaptureOrder,
  { error, companions = () => [] }: Pick<TakeOptions, "companions"> & { readonly error: ApiError },
  places: CapturePlaces,
): Promise<void> {
  await recordEnd(order, failure(error), companions({ error }), places);
}

function foundCapture({ format, mime_type, final_url, status_code, warnings, metadata }: StoredCapture) {
  return { format, mimeType: mime_type, finalUrl: final_url, statusCode: status_code, warnings, metadata };
}

function elapsed({ startedAt }: CaptureOrder): number {
  return Math.round(performance.now() - startedAt);
}

function keep(taken: Capture, { options, clock }: CaptureOrder, lifetimeSeconds: number, places: CapturePlaces) {
  // Shown, a document would run its scripts at the bucket's address, which cannot forbid it and is that of all results.
  const name = storedName(options) ?? (taken.format === "html" ? "page.html" : undefined);
  const disposition = contentDisposition(name);
  return clock.measure("store", () => storeCapture(places.RESULTS_BUCKET, taken, { lifetimeSeconds, disposition }));
}

async function recordEnd(
  order: CaptureOrder,
  outcome: Outcome,
  companions: ReturnType<NonNullable<TakeOptions["companions"]>>,
  places: CapturePlaces,
): Promise<number> {
  const settle = outcome.status === "success" && !outcome.cached ? settlementOfSuccess : settlementOfFailure;
  const settlement = settle(places.USAGE_TABLE, order.allowance);
  const event = logEvent(order, { ...outcome, response_time_ms: elapsed(order) });
  return order.clock.measure("store", async () =>
    recordCapture(
      { activity: places.ACTIVITY_TABLE, usage: places.USAGE_TABLE, retentionDays: places.USAGE_RETENTION_DAYS },
      { wantedId: order.requestId, attempt: order.allowance.attempt, event },
      [...(settlement ? [settlement] : []), ...(await companions)],
    ),
  );
}

type Outcome = Pick<CaptureEvent, "status" | "http_status_code" | "error_message" | "file_size_bytes" | "cached">;

/** A successful log has neither a status code nor a message: the interface says null. */
function success(sizeBytes: number): Outcome {
  return {
    status: "success",
    http_status_code: null,
    error_message: null,
    file_size_bytes: sizeBytes,
    cached: false,
  };
}

function failure(error: ApiError): Outcome {
  return {
    status: "failed",
    http_status_code: error.target?.http_status_code ?? null,
    error_message: `${error.code}: ${error.message}`.toWellFormed(), // it may repeat what a page or a caller wrote
    file_size_bytes: 0,
    cached: false,
  };
}

function logEvent(order: CaptureOrder, outcome: Outcome & Pick<CaptureEvent, "response_time_ms">): CaptureEvent {
  const { options, sent, sourceIp } = order;
  const { account, key } = order.caller;
  return {
    user_id: account.id,
    api_key_id: key.id,
    url: withoutPassword(options.url ?? "").toWellFormed(),
    options: loggableOptions(sent),
    format: options.format,
    ip_address: sourceIp,
    api_key: { id: key.id, label: key.label, key_prefix: key.key_prefix },
    ...outcome,
  };
}
