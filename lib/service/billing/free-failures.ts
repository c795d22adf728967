// Free failures: those that the caller's own rules, scripts, storage, or cancellation cause. They are as free as others, but an account
// can have only so many of them in a billing period, because the page was captured, and its content may have left in another way.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ErrorCode } from "../../contract/errors/error-kinds.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { MIN_FREE_FAILURES } from "../../contract/plans.ts";
import { type BillingPeriod, isUnbilled } from "./billing-period.ts";

type Name = keyof CaptureOptions;

const rules = [
  "fail_if_content_contains",
  "fail_if_content_missing",
  "fail_if_request_failed",
  "fail_if_selector_present",
  "fail_if_problem",
  "min_quality",
] as const satisfies readonly Name[];

/** JavaScript of the caller runs in the page: it can send away what it reads, and make the capture fail after that. */
const scripts = ["scripts", "wait_for_expression"] as const satisfies readonly Name[];

/** Failures by a rule of the request, by its storage, or by its cancellation. */
const codesOfRules: ReadonlySet<ErrorCode> = new Set(["CONTENT_RULE_FAILED", "STORAGE_FAILED", "CANCELLED"]);

/** Failures of a capture whose scripts may have run by then. */
const codesAfterScripts: ReadonlySet<ErrorCode> = new Set([
  "SCRIPT_FAILED",
  "EXPRESSION_FAILED",
  "SELECTOR_NOT_FOUND",
  "TARGET_TOO_LARGE",
  "PAGE_CRASHED",
  "RESULT_TOO_LARGE",
  "CAPTURE_TIMEOUT",
]);

type RuleName = (typeof rules)[number] | (typeof scripts)[number];
export type FailingOptions = Partial<Pick<CaptureOptions, "store" | RuleName>>;

/** Names the options of a request by which its caller can make a capture fail that was rendered. */
export function failingOptions(options: FailingOptions): readonly Name[] {
  const isSet = (name: RuleName) => options[name] !== undefined;
  return [...(options.store ? ["store" as const] : []), ...[...rules, ...scripts].filter(isSet)];
}

/** True for a failure that counts as one of the free failures of an account. `options` are those that were sent. */
export function isFreeFailure({ code }: ApiError, options: Readonly<Record<string, unknown>>): boolean {
  const hasScripts = scripts.some((name) => options[name] !== undefined);
  return codesOfRules.has(code) || (hasScripts && codesAfterScripts.has(code));
}

/** How many free failures an account can have in a billing period with this many successes. */
export function freeFailureLimit(successes: number): number {
  return Math.max(MIN_FREE_FAILURES, successes);
}

/** What of a request needs a free failure: the `options` by which it can fail, or the cancellation of a capture that is rendered. */
export type FreeFailureUse = { readonly options: readonly string[] } | "cancellation";

/** Seconds after which captures in progress have probably ended. */
const IN_PROGRESS_RETRY_S = 10;

/** Returns the 429 error while captures in progress may need all of the free failures that are left. */
export function freeFailuresReserved(limit: number): ApiError {
  const message =
    `The account has ${limit} free failures in this billing period, and as many captures in progress that its own rules, scripts, or ` +
    `storage can make fail. Try again in ${IN_PROGRESS_RETRY_S} s: each capture that succeeds makes room.`;
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(IN_PROGRESS_RETRY_S) } });
}

/** Returns the 429 error when `used` free failures are used. */
export function freeFailuresUsed(
  use: FreeFailureUse,
  { used, limit, period }: { readonly used: number; readonly limit: number; readonly period: BillingPeriod },
): ApiError {
  const resetsAt = isUnbilled(period) ? null : period.end;
  const reset = resetsAt === null ? "" : ` They reset at ${resetsAt}.`;
  const message =
    `The account has used its ${limit} free failures of this billing period: captures that its own rules, scripts, storage, or ` +
    `cancellations made fail. It has as many as captures that succeeded, and at least ${MIN_FREE_FAILURES}. ${advice(use)}${reset}`;
  return new ApiError("FREE_FAILURES_USED", message, { figures: { used, limit, resets_at: resetsAt } });
}

function advice(use: FreeFailureUse): string {
  if (use === "cancellation") return "The capture isn't cancelled: it goes on, and counts if it succeeds.";
  const names = use.options.map((name) => `\`${name}\``).join(", ");
  const storage = use.options.includes("store") ? "Correct the storage that refuses your captures. " : "";
  return `${storage}Until captures have succeeded again, send requests without ${names}.`;
}
