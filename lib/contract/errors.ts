// The closed list of errors: who is to blame decides the status, whether a retry helps, and what is alarmed.

/** `caller`: the request is wrong. `target`: the page is. `us`: the service is. */
export type Blame = "caller" | "target" | "us";

interface ErrorKind {
  readonly status: number;
  readonly blame: Blame;
  /** True where the same request can succeed a moment later. */
  readonly retryable?: boolean;
}

export const errorKinds = {
  BAD_REQUEST: { status: 400, blame: "caller" },
  VALIDATION_ERROR: { status: 422, blame: "caller" },
  UNAUTHORIZED: { status: 401, blame: "caller" },
  FORBIDDEN: { status: 403, blame: "caller" },
  URL_NOT_ALLOWED: { status: 403, blame: "caller" },
  NOT_FOUND: { status: 404, blame: "caller" },
  METHOD_NOT_ALLOWED: { status: 405, blame: "caller" },
  GONE: { status: 410, blame: "caller" },
  BODY_TOO_LARGE: { status: 413, blame: "caller" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, blame: "caller" },
  TARGET_NAME_NOT_RESOLVED: { status: 422, blame: "target" },
  TARGET_UNREACHABLE: { status: 422, blame: "target" },
  TARGET_TLS_ERROR: { status: 422, blame: "target" },
  PROXY_FAILED: { status: 422, blame: "caller" },
  TARGET_HTTP_ERROR: { status: 422, blame: "target" },
  SELECTOR_NOT_FOUND: { status: 422, blame: "target" },
  SCRIPT_FAILED: { status: 422, blame: "caller" },
  STYLE_FAILED: { status: 422, blame: "caller" },
  EXPRESSION_FAILED: { status: 422, blame: "target" },
  CONTENT_RULE_FAILED: { status: 422, blame: "target" },
  RESULT_TOO_LARGE: { status: 422, blame: "target" },
  CAPTURE_TIMEOUT: { status: 504, blame: "target", retryable: true },
  INTERNAL_ERROR: { status: 500, blame: "us", retryable: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** What is known of the page a failed capture was aimed at. */
export interface TargetReport {
  /** Status the page's own server answered, null when it never did. */
  readonly http_status_code: number | null;
  /** Chromium's name of a network error, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly net_error: string | null;
  readonly final_url: string | null;
}

interface ErrorExtras {
  /** Field -> messages. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  readonly target?: TargetReport;
  /** Headers the answer must carry, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error a caller is meant to read: one sentence that says what failed, why, and what to do. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorExtras["details"];
  readonly target: ErrorExtras["target"];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = extras.details;
    this.target = extras.target;
    this.headers = extras.headers ?? {};
  }

  get status(): number {
    return errorKinds[this.code].status;
  }

  get blame(): Blame {
    return errorKinds[this.code].blame;
  }
}

/** The fault of ours a caller sees when something unforeseen was thrown: it tells nothing of the inside. */
export function internalError(cause: unknown): ApiError {
  return new ApiError(
    "INTERNAL_ERROR",
    "The service failed to handle this request. Nothing was billed; please try again.",
    { cause },
  );
}

/** The JSON body of an error answer. */
export function errorBody(error: ApiError, requestId: number): Record<string, unknown> {
  const kind: ErrorKind = errorKinds[error.code];
  return {
    error: error.message,
    code: error.code,
    ...(error.details && { details: error.details }),
    request_id: requestId,
    retryable: kind.retryable ?? false,
    ...(error.target && { target: error.target }),
  };
}
