// The end of a capture, recorded: its log, what of its reservation is settled, and whatever belongs to it, all or nothing.
import type { Caller } from "../accounts/account.ts";
import type { Allowance } from "../billing/quota.ts";
import { settleFailure, settleSuccess } from "../billing/quota-store.ts";
import type { ApiError } from "../errors/api-error.ts";
import type { Environment } from "../platform/environment.ts";
import type { CaptureEvent } from "../usage/capture-log.ts";
import { loggableOptions, redactPassword } from "../usage/loggable-options.ts";
import { recordCapture, type TransactionItem } from "../usage/usage-store.ts";

/** What a log says of an order, none of it secret. */
export interface LoggedRequest {
  readonly caller: Caller;
  readonly source_ip: string;
  readonly url: string;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** An order as it is logged. */
export function createLoggedRequest({
  caller,
  sourceIp,
  options: { url = "", format },
  sent,
}: {
  readonly caller: Caller;
  readonly sourceIp: string;
  readonly options: { readonly url?: string | undefined; readonly format: string };
  readonly sent: Readonly<Record<string, unknown>>;
}): LoggedRequest {
  const options = loggableOptions(sent);
  return { caller, source_ip: sourceIp, url: redactPassword(url).toWellFormed(), format, options };
}

export type Outcome = Pick<
  CaptureEvent,
  "status" | "http_status_code" | "error_message" | "file_size_bytes" | "cached"
>;

/** A successful log has neither a status code nor a message: the interface says null. */
export function success(sizeBytes: number): Outcome {
  return {
    status: "success",
    http_status_code: null,
    error_message: null,
    file_size_bytes: sizeBytes,
    cached: false,
  };
}

export function failure(error: ApiError): Outcome {
  return {
    status: "failed",
    http_status_code: error.target?.http_status_code ?? null,
    error_message: `${error.code}: ${error.message}`.toWellFormed(), // it may repeat what a page or a caller wrote
    file_size_bytes: 0,
    cached: false,
  };
}

export interface EndedCapture {
  readonly order: LoggedRequest;
  readonly allowance: Allowance;
  readonly requestId: number;
  readonly outcome: Outcome;
  readonly responseTimeMs: number;
  /** What is written in one transaction with the log. */
  readonly companions: readonly TransactionItem[];
}

/** Resolves to the id of the log. Throws `NotRecorded` where a required companion says that nothing is to be recorded. */
export async function recordOutcome(
  { order, allowance, requestId, outcome, responseTimeMs, companions }: EndedCapture,
  places: Pick<Environment, "ACTIVITY_TABLE" | "USAGE_TABLE" | "USAGE_RETENTION_DAYS">,
): Promise<number> {
  const settle = outcome.status === "success" && !outcome.cached ? settleSuccess : settleFailure;
  const settlement = settle(places.USAGE_TABLE, allowance);
  return recordCapture(
    { activity: places.ACTIVITY_TABLE, usage: places.USAGE_TABLE, retentionDays: places.USAGE_RETENTION_DAYS },
    { preferredId: requestId, attempt: allowance.attempt, event: eventOf(order, outcome, responseTimeMs) },
    [...(settlement ? [settlement] : []), ...companions],
  );
}

function eventOf(order: LoggedRequest, outcome: Outcome, responseTimeMs: number): CaptureEvent {
  const { account, key } = order.caller;
  return {
    user_id: account.id,
    api_key_id: key.id,
    url: order.url,
    options: order.options,
    format: order.format,
    ip_address: order.source_ip,
    api_key: { id: key.id, label: key.label, key_prefix: key.key_prefix },
    response_time_ms: responseTimeMs,
    ...outcome,
  };
}
