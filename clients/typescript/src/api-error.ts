// Errors of the client: one class for each kind of failure, and below `ApiError` one for each error code of the service.
import type { ErrorBody, ErrorCode, Problem, Target } from "./generated/types.ts";

/** Any failure of the client. */
export class ScreenCaptureError extends Error {
  override readonly name: string = "ScreenCaptureError"; // written out, because minifiers change the names of classes
  /** True if the same request can succeed later. */
  readonly retryable: boolean;

  constructor(message: string, { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

/** The service couldn't be reached, or its response was cut off. */
export class ConnectionError extends ScreenCaptureError {
  override readonly name = "ConnectionError";
}

/** The call took longer than its `timeoutMs`. */
export class TimeoutError extends ScreenCaptureError {
  override readonly name = "TimeoutError";
}

/** A webhook whose signature doesn't match, or that is too old. */
export class WebhookVerificationError extends ScreenCaptureError {
  override readonly name = "WebhookVerificationError";
}

/** The service answered with an error. `message` says what failed, why, and how to fix it. */
export class ApiError extends ScreenCaptureError {
  override readonly name: string = "ApiError";
  readonly code: ErrorCode;
  readonly requestId: number | string;
  /** Messages by option, or figures that explain the error. */
  readonly details: ErrorBody["details"];
  /** How the page responded, if it was reached or tried. */
  readonly target: Target | undefined;
  /** What was wrong with the page, for a capture that broke a rule. */
  readonly problems: readonly Problem[];
  /** HTTP status code. Undefined for the error of an asynchronous capture. */
  readonly status: number | undefined;
  /** Address of the documentation of this error. */
  readonly docs: string | undefined;
  /** Seconds to wait before the next attempt, if the service says so. */
  readonly retryAfterS: number | undefined;

  constructor(body: ErrorBody, { status, retryAfterS }: { status?: number; retryAfterS?: number | undefined } = {}) {
    super(body.error, body);
    this.code = body.code;
    this.requestId = body.request_id;
    this.details = body.details;
    this.target = body.target;
    this.problems = body.problems ?? [];
    this.docs = body.docs;
    this.status = status;
    this.retryAfterS = retryAfterS ?? (body.retryable ? body.target?.retry_after : undefined);
  }
}
