// How a caller fixes each error: Markdown for the page of error codes, to which every error answer links.
import type { ErrorCode } from "./error-kinds.ts";

export const errorFixes: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: "Send the options as a query, a form, or a JSON object, in UTF-8. Let an HTTP client encode the query.",
  VALIDATION_ERROR:
    "Read `details`: it names each option with its problem. Correct them all and send the request again.",
  UNAUTHORIZED:
    "Send the key as `Authorization: Bearer <key>`. Create a key if yours was revoked or has expired; sign a link again if it " +
    "has expired.",
  QUOTA_EXCEEDED:
    "Wait until `details.resets_at`, or move the account to a paid plan. If `details.quota` is `key`, raise the `monthly_limit` " +
    "of the API key. If it is `captures_per_day`, wait, or ask the operator of the service, who has set the limit.",
  FORBIDDEN: "Use a key that has the scope, or add the scope to the key with a key that has it.",
  ACCOUNT_SUSPENDED:
    "Ask the operator of the service. The owner of the account can sign in to read the reason, see invoices, export the data, and delete " +
    "the account.",
  URL_NOT_ALLOWED:
    "Capture a public http or https address. To capture pages of your own network, send their HTML as `html`. The operator of a " +
    "service on one machine can allow others with `CAPTURE_ALLOW_ORIGINS`.",
  NOT_FOUND:
    "Check the path and the id, and that the key belongs to the account that created it. Don't change a signed link.",
  METHOD_NOT_ALLOWED: "Use one of the methods in the header `Allow`.",
  CONFLICT:
    "The message says which conflict it is. Wait for the capture or the request in progress, use a new `Idempotency-Key` for a " +
    "new request, or revoke keys that you don't need.",
  CANCELLED: "Send the capture again if you need it after all.",
  GONE: "Capture the page again, with a new `Idempotency-Key` if you send one. To keep results, upload them to your own bucket with `store`.",
  BODY_TOO_LARGE: "Send a smaller body: link images and styles instead of inlining them, or capture a `url`.",
  UNSUPPORTED_MEDIA_TYPE:
    "Set `Content-Type` to `application/json` or `application/x-www-form-urlencoded`, and send the body uncompressed.",
  RANGE_NOT_SATISFIABLE: "Request a range within the size that `Content-Range` names, or the whole result.",
  CAPACITY:
    "Wait for the seconds in `Retry-After`. Send captures with `async=true`: they wait in a queue. Or use a plan with a larger " +
    "share.",
  RATE_LIMITED: "Wait for the seconds in `Retry-After`. Spread requests over time, or use a plan with a higher limit.",
  FREE_FAILURES_USED:
    "Send requests without the options that the message names, or correct the storage. Each capture that succeeds beyond 100 in a " +
    "billing period allows another free failure; `details.resets_at` says when the next one begins.",
  TARGET_NAME_NOT_RESOLVED: "Check the spelling of the host name, and that it is public.",
  TARGET_UNREACHABLE:
    "Open the address in a browser outside of your network. If the server blocks data centers, use a `proxy`.",
  TARGET_TLS_ERROR: "Renew the certificate of the page, or let its server send the intermediate certificates, too.",
  PROXY_FAILED: "Check the address, port, and credentials of the `proxy`, and that it allows the target.",
  TARGET_HTTP_ERROR:
    "Check the address. If the page is overloaded (429, 502, 503, 504), send the request again after `target.retry_after` seconds, or " +
    "set `retry_on` to have it captured again within the `timeout`. To capture error pages, set `ignore_host_errors`.",
  TARGET_BLOCKED:
    "Try `stealth`, a `proxy` in the country of the page, or the `cookies` of a visit that passed the check.",
  SELECTOR_NOT_FOUND:
    "Capture the page without the selector and look at it. If the element comes late, set `wait_for_selector` or a longer " +
    "`timeout`.",
  SCRIPT_FAILED: "Run the script in the console of a browser on that page. The message contains its error.",
  STYLE_FAILED: "Check that the address of the style sheet is public and answers with CSS, or send the CSS itself.",
  EXPRESSION_FAILED: "Evaluate the expression in the console of a browser on that page, or set a longer `timeout`.",
  NOT_DETERMINISTIC:
    "Block what needs real time with `block_requests` or `block_resources`, test the page without it, or capture without " +
    "`deterministic`.",
  CONTENT_RULE_FAILED: "This is the error that you asked for: the page has, or lacks, what the rule names.",
  STORAGE_FAILED:
    "Check the bucket, its region, and that the keys or the role may put objects. The message says what failed.",
  TARGET_TOO_LARGE:
    "Block what the page doesn't need with `block_resources` or `block_requests`, or capture a part of it.",
  PAGE_CRASHED:
    "Find what crashes the browser: set `javascript=false`, block scripts with `block_requests`, or capture a part of the page. " +
    "If you own the page, look for extremely deep or large structures in it.",
  RESULT_TOO_LARGE:
    "Capture less. For images: a lower `device_scale_factor`, `full_page_max_height`, `image_width`, or a format that compresses " +
    "more. For PDFs: fewer pages with `pdf_page_ranges`, or a part of the page with `selector`.",
  CAPTURE_TIMEOUT:
    "Set a longer `timeout` or a weaker `wait_until`. With `on_timeout=capture`, you get what is painted when the time is up.",
  INTERNAL_ERROR:
    "Send the request again. If it fails again, report the `request_id`: where the error has `support`, to that address.",
};
