// The closed list of error codes: the blame decides the status, whether a retry helps, and what raises an alarm.

/** `caller`: the request is wrong. `target`: the page is. `us`: the service is. */
export type Blame = "caller" | "target" | "us";

export interface ErrorKind {
  readonly status: number;
  readonly blame: Blame;
  /** True where the same request can succeed a moment later. */
  readonly retryable?: boolean;
  /** One sentence in Markdown, for the written reference. */
  readonly meaning: string;
}

export const errorKinds = {
  BAD_REQUEST: {
    status: 400,
    blame: "caller",
    meaning:
      "The request cannot be read: its body is not valid JSON or not an object of options, its text is not UTF-8 or not " +
      "percent-encoded rightly, or it is not valid HTTP. With the status 408, 417 or 431 where HTTP has one of its own.",
  },
  VALIDATION_ERROR: {
    status: 422,
    blame: "caller",
    meaning: "An option is unknown, wrong or contradicts another; `details` lists every problem.",
  },
  UNAUTHORIZED: {
    status: 401,
    blame: "caller",
    meaning:
      "The API key is missing, unknown, revoked or expired; or a signed link is expired or its signature does not match, as " +
      "the message says.",
  },
  QUOTA_EXCEEDED: {
    status: 402,
    blame: "caller",
    meaning: "The trial is used up or over; `details` tells `quota`, `limit`, `used` and `resets_at`.",
  },
  FORBIDDEN: {
    status: 403,
    blame: "caller",
    meaning: "The API key lacks the scope this route needs, or one that it would give to a key.",
  },
  URL_NOT_ALLOWED: {
    status: 403,
    blame: "caller",
    meaning: "The address to capture, or to put the capture to, is not public, or is none of http or https.",
  },
  NOT_FOUND: {
    status: 404,
    blame: "caller",
    meaning: "There is nothing at this path, or the account has nothing of this id, or a link is not as it was given.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    blame: "caller",
    meaning: "The path does not take this method; the header `Allow` names those it takes.",
  },
  CONFLICT: {
    status: 409,
    blame: "caller",
    meaning:
      "The API key is revoked and cannot be changed, or was rotated 10 times within 24 hours, or the account has as many " +
      "keys as it may have; the capture in the " +
      "background is not over yet; or the `Idempotency-Key` belongs to another request, or to one that is still under way.",
  },
  GONE: {
    status: 410,
    blame: "caller",
    meaning: "The stored result has expired.",
  },
  BODY_TOO_LARGE: {
    status: 413,
    blame: "caller",
    meaning:
      "The request is larger than 6,291,456 bytes (6 MiB) as JSON text, in which a quote or a line break takes two bytes.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    blame: "caller",
    meaning: "The body is neither JSON nor a form, or is compressed, or has another charset than UTF-8.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    blame: "caller",
    meaning: "The stored result is shorter than the range in `Range`; `Content-Range` has its size.",
  },
  RATE_LIMITED: {
    status: 429,
    blame: "caller",
    retryable: true,
    meaning:
      "The account has sent all requests that its plan allows in 60 seconds, or has as many captures in the background " +
      "under way as that allows at once; `Retry-After` says when to try again.",
  },
  TARGET_NAME_NOT_RESOLVED: {
    status: 422,
    blame: "target",
    meaning: "The host name of the page does not resolve.",
  },
  TARGET_UNREACHABLE: {
    status: 422,
    blame: "target",
    meaning: "The page's server refused or broke the connection, or answered with something that is no page.",
  },
  TARGET_TLS_ERROR: {
    status: 422,
    blame: "target",
    meaning: "The page's certificate or TLS configuration is not valid.",
  },
  PROXY_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "The `proxy` of the request could not be used.",
  },
  TARGET_HTTP_ERROR: {
    status: 422,
    blame: "target",
    meaning: "The page's server answered with an error status; see `ignore_host_errors` and `fail_on_status`.",
  },
  TARGET_BLOCKED: {
    status: 422,
    blame: "target",
    meaning:
      "A wall against robots stands before the page and did not open within some seconds; `details` tells whose `wall`. " +
      "What may help is in the message.",
  },
  SELECTOR_NOT_FOUND: {
    status: 422,
    blame: "target",
    meaning: "No visible element matched a selector in time, or the `clip_*` rectangle lies outside of the page.",
  },
  SCRIPT_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "One of the `scripts` threw, or led to another page.",
  },
  STYLE_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "A style sheet named in `styles` could not be loaded.",
  },
  EXPRESSION_FAILED: {
    status: 422,
    blame: "target",
    meaning: "`wait_for_expression` threw, or did not become true in time.",
  },
  CONTENT_RULE_FAILED: {
    status: 422,
    blame: "target",
    meaning: "A `fail_if_*` rule matched.",
  },
  STORAGE_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "The capture could not be put into the bucket of the request; see `store`.",
  },
  TARGET_TOO_LARGE: {
    status: 422,
    blame: "target",
    meaning:
      "The page used more than a capture may: `details` tells which `limit`, as it is called in the list of limits, and " +
      "what it `allows`.",
  },
  RESULT_TOO_LARGE: {
    status: 422,
    blame: "target",
    meaning: "The result would be larger than is allowed.",
  },
  CAPTURE_TIMEOUT: {
    status: 504,
    blame: "target",
    retryable: true,
    meaning: "The capture did not finish within `timeout`; `details` tells the phase and what was pending.",
  },
  INTERNAL_ERROR: {
    status: 500,
    blame: "us",
    retryable: true,
    meaning: "The service failed. Nothing was billed.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;
