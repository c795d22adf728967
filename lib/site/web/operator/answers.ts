// What the operator's API answers. All times are ISO 8601 in UTC.
import type { Limits } from "../ui/limits.ts";

/** The session of an operator. */
export interface OperatorSession {
  /** The address is null after a sign-in by link. */
  readonly operator: { readonly email: string | null };
  /** Each request that changes something proves with it that this page has sent it. */
  readonly csrf_token: string;
  readonly expires_at: string;
  readonly stage: string;
  /** Whether pictures of customers' captures can be seen. */
  readonly shows_pictures: boolean;
}

/** How an operator can sign in, besides a link. */
export interface SignInMethods {
  readonly email: boolean;
}

export interface Today {
  readonly since: string;
  readonly captures: number;
  readonly succeeded: number;
  readonly failures: readonly { readonly code: string; readonly blame: string; readonly count: number }[];
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly renderer_starts: number;
  readonly jobs_waiting: number;
  readonly webhooks_waiting: number;
  readonly dead_letters: { readonly renders: number; readonly webhooks: number };
  readonly chromium: { readonly version: string; readonly age_days: number };
  readonly filter_lists: { readonly date: string | null; readonly age_days: number | null };
  readonly canary: { readonly at: string | null; readonly outcome: "success" | "failed" | "unknown" };
}

/** A page of a list. */
export interface ListPage<Entry> {
  readonly data: readonly Entry[];
  /** The value of `after` for the next page; null on the last one. */
  readonly next: string | null;
}

export interface QuotaUse {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

export interface AccountRow {
  readonly id: number;
  readonly label: string;
  readonly email: string | null;
  readonly plan: string;
  readonly requested_plan: string | null;
  readonly created_at: string;
  readonly suspension: { readonly reason: string; readonly at: string } | null;
  readonly quotas: readonly QuotaUse[];
  readonly last_used_at: string | null;
}

export interface AccountRows extends ListPage<AccountRow> {
  /** False where accounts from before there was a list can be missing. */
  readonly is_complete: boolean;
}

export interface AccountDetails extends AccountRow {
  readonly limits: Limits;
  readonly keys: readonly AccountKey[];
  readonly receivers: readonly Receiver[];
  readonly invoices: readonly AccountInvoice[];
}

export interface AccountKey {
  readonly id: number;
  readonly label: string;
  readonly key_prefix: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface Receiver {
  readonly id: string;
  readonly name: string | null;
  readonly origin: string;
  readonly status: string;
}

export interface AccountInvoice {
  readonly period: { readonly start: string; readonly end: string };
  readonly status: string;
  readonly plan: string;
  /** `unpaid`, `paid`, or `void`; null where no payments are recorded. */
  readonly payment: string | null;
  readonly total: string;
}

export interface AccountCapture {
  readonly id: number;
  readonly created_at: string;
  readonly host: string | null;
  readonly format: string;
  readonly status: "success" | "failed";
  readonly code: string | null;
  readonly blame: string | null;
  readonly response_time_ms: number;
  readonly bytes: number | null;
  readonly cached: boolean;
  readonly api_key_id: number;
  readonly has_picture: boolean;
}

/** A request by its number, as the log has it. */
export interface RequestTrace {
  readonly id: number;
  readonly at: string;
  readonly account_id: number | null;
  readonly host: string | null;
  readonly format: string | null;
  readonly status: "success" | "failed" | "unknown";
  readonly code: string | null;
  readonly blame: string | null;
  readonly milliseconds: number | null;
  readonly phases: readonly { readonly name: string; readonly ms: number }[];
  /** Without secrets; null where no log of the capture is kept. */
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly lines: readonly { readonly at: string; readonly source: string; readonly text: string }[];
}

export type FailedQueue = "renders" | "webhooks";

interface FailedMessage {
  readonly account_id: number | null;
  readonly request_id: number | null;
  readonly age_seconds: number;
  /** The state of the capture. */
  readonly status: string | null;
}

export interface FailedRender extends FailedMessage {
  readonly error: string | null;
}

export interface FailedWebhook extends FailedMessage {
  readonly receiver_id: string | null;
  /** What a message about a receiver is for. */
  readonly kind: string | null;
  readonly webhook_status: string | null;
}

export interface FailedMessages {
  readonly renders: readonly FailedRender[];
  readonly webhooks: readonly FailedWebhook[];
}

export interface Retried {
  /** `queued`, or why a message was not. */
  readonly outcomes: readonly { readonly outcome: string }[];
}

export interface AuditEntry {
  readonly at: string;
  readonly id: string;
  /** The address of the operator, or user and host of a command. */
  readonly operator: string;
  /** Network address of the browser, or the host name of a command. */
  readonly from: string;
  readonly action: string;
  readonly account_id: number | null;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** An event of an account, with its delivery to the operator's address. */
export type OperatorEvent = {
  readonly id: string;
  readonly created_at: string;
  readonly account_id: number;
  readonly delivery: EventDelivery;
} & (
  | EventOf<"plan.requested", { readonly from: string }>
  | EventOf<"plan.cancelled", { readonly ends_at: string }>
  | EventOf<"plan.downgraded", { readonly from: string; readonly effective_at: string }>
  | EventOf<"plan.continued", object>
  | EventOf<"invoice.closed" | "invoice.overdue", EventInvoice>
);

interface EventOf<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data & { readonly account: { readonly label: string }; readonly plan: string };
}

interface EventInvoice {
  readonly number: string;
  readonly currency: string;
  readonly total: string;
}

export interface EventDelivery {
  readonly status: "pending" | "delivered" | "failed" | "not_configured";
  readonly attempts: number;
  /** Of the last attempt; null before the first one. */
  readonly at: string | null;
  readonly http_status_code: number | null;
  /** Why it failed. */
  readonly error: string | null;
}
