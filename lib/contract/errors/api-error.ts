// The error that a handler throws: its code decides the status, and its message is written for the caller.

import { reachSupport } from "../operator-identity.ts";
import type { Problem } from "../problems/problem.ts";
import { type Blame, type ErrorCode, errorKinds, isRetryable } from "./error-kinds.ts";
import type { ErrorBody } from "./error-response.ts";

/** How the page responded. */
export type TargetReport = NonNullable<ErrorBody["target"]>;

interface ErrorExtras {
  /** Messages by field. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** Figures that explain the error; part of `details` in the response. */
  readonly figures?: Readonly<Record<string, string | number | null>>;
  readonly target?: TargetReport;
  /** What was wrong with the capture, for a rule that it broke. */
  readonly problems?: readonly Problem[];
  /** Headers of the response, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Whose fault it is where that differs from the other errors with this code. */
  readonly blame?: Blame;
}

/**
 * An error for the caller. Its message says what failed, why, and how to fix it. It may repeat text of a caller or a page;
 * lone surrogates in it are replaced, because some JSON parsers fail on them (RFC 8259, section 8.2).
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string[]>> | undefined;
  readonly figures: ErrorExtras["figures"];
  readonly target: ErrorExtras["target"];
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;
  readonly blame: Blame;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message.toWellFormed(), { cause: extras.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = extras.details && wellFormed(extras.details);
    this.figures = extras.figures;
    this.target = extras.target;
    this.problems = extras.problems ?? [];
    this.headers = { ...(this.retryable && retryAfterHeader(extras.target)), ...extras.headers };
    this.blame = extras.blame ?? errorKinds[code].blame;
  }

  get status(): number {
    return errorKinds[this.code].status;
  }

  /** True if the same request can succeed later. */
  get retryable(): boolean {
    return isRetryable(this.code, this.target);
  }
}

/** The wait that the page asks for, as a header of ours. */
function retryAfterHeader({ retry_after: seconds }: Partial<TargetReport> = {}): Record<string, string> {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

function wellFormed(details: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const entries = Object.entries(details);
  return Object.fromEntries(
    entries.map(([field, messages]) => [field.toWellFormed(), messages.map((each) => each.toWellFormed())]),
  );
}

/** The error that a caller gets for an unexpected exception. It reveals nothing of the exception. */
export function internalError(cause: unknown): ApiError {
  return new ApiError(
    "INTERNAL_ERROR",
    "The service failed to process the request. Nothing was billed. Retry the request.",
    { cause },
  );
}

/** A thrown error as it is, if it is an `ApiError`; anything else is the cause of an `INTERNAL_ERROR`. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : internalError(thrown);
}

/**
 * The JSON body of an error response. `support` is the address of those who help customers, undefined where the operator has set none: an
 * error of the service names it.
 */
export function errorBody(error: ApiError, requestId: number, support?: string | undefined): ErrorBody {
  const helper = error.blame === "us" ? support : undefined;
  const advice = helper === undefined ? "" : ` ${supportAdvice(helper, requestId)}`;
  return {
    error: `${error.message}${advice}`,
    code: error.code,
    ...((error.details || error.figures) && { details: { ...error.details, ...error.figures } }),
    request_id: requestId,
    retryable: error.retryable,
    ...(error.target && { target: error.target }),
    ...(error.problems.length > 0 && { problems: [...error.problems] }),
    ...(helper !== undefined && { support: helper }),
  };
}

/** What a caller does when an error of the service comes back. */
export function supportAdvice(support: string, requestId: number | string): string {
  return `If it happens again, ${reachSupport(support)} with the request number ${requestId}.`;
}
