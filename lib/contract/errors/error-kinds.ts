// The closed list of error codes: the blame decides the status, whether a retry helps, and what raises an alarm.

/** Who has to fix it: the `caller` the request, the `target` its page, or `us` the service. */
export type Blame = "caller" | "target" | "us";

/** How the page responded, as far as it decides whether a retry helps. */
type Response = { readonly http_status_code: number | null } | undefined;

export interface ErrorKind {
  readonly status: number;
  readonly blame: Blame;
  /** True if the same request can succeed later; with a condition, only for errors that meet it. */
  readonly retryable?: true | { readonly when: string; readonly isMet: (target: Response) => boolean };
  /** Markdown for the reference. */
  readonly meaning: string;
}

export const errorKinds = {
  BAD_REQUEST: {
    status: 400,
    blame: "caller",
    meaning:
      "The request can't be read: its body isn't valid JSON or isn't an object of options, its text isn't UTF-8 or " +
      "isn't correctly percent-encoded, or it isn't valid HTTP. The status is 408, 417, or 431 if HTTP defines one " +
      "for the problem.",
  },
  VALIDATION_ERROR: {
    status: 422,
    blame: "caller",
    meaning: "An option is unknown, invalid, or conflicts with another one. `details` lists every problem.",
  },
  UNAUTHORIZED: {
    status: 401,
    blame: "caller",
    meaning:
      "The API key is missing, unknown, revoked, or expired; the signed link has expired or its signature doesn't match; or " +
      "the session has ended. The message says which.",
  },
  QUOTA_EXCEEDED: {
    status: 402,
    blame: "caller",
    meaning:
      "The trial is used up, over, or paused by the service, or its failed captures took too long today. Or the `monthly_limit` of the API " +
      "key or the account's limit of captures a day is reached. `details` contains `quota`, `limit`, `used`, and `resets_at`.",
  },
  FORBIDDEN: {
    status: 403,
    blame: "caller",
    meaning:
      "The API key lacks the scope that this route requires, or a scope that it would give to another key; or another " +
      "website started a request with a session.",
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    blame: "caller",
    meaning:
      "The operator of the service has suspended the account. The message has the reason. Nothing is deleted: captures, keys, links, and " +
      "webhooks work again as soon as the account is resumed. Captures that were in progress end with this code, and aren't billed.",
  },
  URL_NOT_ALLOWED: {
    status: 403,
    blame: "caller",
    meaning: "The URL to capture, or to upload the capture to, isn't public or doesn't use http or https.",
  },
  NOT_FOUND: {
    status: 404,
    blame: "caller",
    meaning: "Nothing exists at this path, the account has nothing with this id, or the signed link was changed.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    blame: "caller",
    meaning: "The path doesn't support this method. The header `Allow` lists the methods it supports.",
  },
  CONFLICT: {
    status: 409,
    blame: "caller",
    meaning:
      "The message says which conflict it is. The API key is revoked and can't be changed, or was rotated 10 times within 24 hours, or the " +
      "account has the maximum number of keys. The asynchronous capture whose webhook you redeliver hasn't ended, or its webhook was sent " +
      "again three times today. The webhook receiver is paused, or its new origin has not accepted a test event. An export of captures is " +
      "running. The `Idempotency-Key` belongs to another request, or to one that is in progress. The asynchronous capture that you cancel " +
      "is being uploaded to your bucket.",
  },
  CANCELLED: {
    status: 409,
    blame: "caller",
    meaning:
      "You cancelled the asynchronous capture before it ended. Only the state of a capture, its webhook, and its log have this code.",
  },
  GONE: {
    status: 410,
    blame: "caller",
    meaning:
      "The stored result has expired, or the capture of the first request with this `Idempotency-Key` was deleted.",
  },
  BODY_TOO_LARGE: {
    status: 413,
    blame: "caller",
    meaning:
      "The request is larger than 6,291,456 bytes (6 MiB) as JSON text, in which a quotation mark or a line break " +
      "takes two bytes.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    blame: "caller",
    meaning: "The body is neither JSON nor a form, is compressed, or isn't encoded in UTF-8.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    blame: "caller",
    meaning: "The stored result doesn't contain the range in `Range`. `Content-Range` contains its size.",
  },
  RATE_LIMITED: {
    status: 429,
    blame: "caller",
    retryable: true,
    meaning:
      "The account has sent all requests that its limits allow in 60 seconds, or has the maximum number of " +
      "simultaneous asynchronous captures. Wait for the seconds in `Retry-After`, then retry.",
  },
  FREE_FAILURES_USED: {
    status: 429,
    blame: "caller",
    meaning:
      "Captures that the account's own `fail_if_*` rules, `min_quality`, `scripts`, `wait_for_expression`, storage, or cancellations made " +
      "fail are free, as many in a billing period as captures succeeded, and at least 100. They are used up. `details` contains `used`, " +
      "`limit`, and `resets_at`.",
  },
  TARGET_NAME_NOT_RESOLVED: {
    status: 422,
    blame: "target",
    meaning: "The host name of the page can't be resolved.",
  },
  TARGET_UNREACHABLE: {
    status: 422,
    blame: "target",
    meaning: "The server of the page refused or closed the connection, or its response isn't a page.",
  },
  TARGET_TLS_ERROR: {
    status: 422,
    blame: "target",
    meaning: "The TLS certificate or TLS configuration of the page is invalid.",
  },
  PROXY_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "The `proxy` of the request can't be used.",
  },
  TARGET_HTTP_ERROR: {
    status: 422,
    blame: "target",
    retryable: {
      when: "if the status of the page is 429, 502, 503, or 504",
      isMet: (target) => [429, 502, 503, 504].includes(target?.http_status_code ?? 0),
    },
    meaning:
      "The page has an error status. See `ignore_host_errors` and `fail_on_status`. `target.retry_after` and `Retry-After` contain the " +
      "seconds for which the page asks callers to wait.",
  },
  TARGET_BLOCKED: {
    status: 422,
    blame: "target",
    meaning:
      "The page shows a bot challenge that didn't complete within a few seconds. `details.wall` names its vendor; " +
      "the message says what can help.",
  },
  SELECTOR_NOT_FOUND: {
    status: 422,
    blame: "target",
    meaning: "No visible element matched a selector in time, or the `clip_*` rectangle is outside of the page.",
  },
  SCRIPT_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "One of the `scripts` threw an error, or navigated to another page.",
  },
  STYLE_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "A style sheet in `styles` couldn't be loaded.",
  },
  EXPRESSION_FAILED: {
    status: 422,
    blame: "target",
    meaning: "`wait_for_expression` threw an error, or didn't become true in time.",
  },
  NOT_DETERMINISTIC: {
    status: 422,
    blame: "target",
    meaning:
      "The page needs real time, so that a `deterministic` capture of it isn't possible. The message says what for.",
  },
  CONTENT_RULE_FAILED: {
    status: 422,
    blame: "target",
    meaning:
      "A `fail_if_*` rule matched, or the quality of the capture is lower than `min_quality`. `problems` lists what was wrong, " +
      "with the options that may help.",
  },
  STORAGE_FAILED: {
    status: 422,
    blame: "caller",
    meaning: "Your bucket refused the capture before it got a byte of it. See `store`.",
  },
  TARGET_TOO_LARGE: {
    status: 422,
    blame: "target",
    meaning: "The page exceeded a limit. `details.limit` names the limit, and `details.allows` its value.",
  },
  PAGE_CRASHED: {
    status: 422,
    blame: "target",
    meaning: "The page crashed the browser, and another fresh one, too.",
  },
  RESULT_TOO_LARGE: {
    status: 422,
    blame: "target",
    meaning: "The result would exceed a limit.",
  },
  CAPTURE_TIMEOUT: {
    status: 504,
    blame: "target",
    retryable: { when: "if the page wasn't tried", isMet: (target) => target === undefined },
    meaning:
      "The capture didn't finish within `timeout`. `details` contains the phase and what was pending. The same request would take as " +
      "long again: the message says what to change.",
  },
  CAPACITY: {
    status: 503,
    blame: "us",
    retryable: true,
    meaning:
      "The account runs as many synchronous captures as its limits allow, or the service as many as it can. Wait for the seconds " +
      "in `Retry-After`, then retry.",
  },
  INTERNAL_ERROR: {
    status: 500,
    blame: "us",
    retryable: true,
    meaning: "The service failed. Nothing was billed.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** True if the same request can succeed later. `target` is how its page responded; undefined if it wasn't tried. */
export function isRetryable(code: ErrorCode, target: Response): boolean {
  const { retryable }: ErrorKind = errorKinds[code];
  return typeof retryable === "object" ? retryable.isMet(target) : retryable === true;
}
