// Why a page could not be captured, as a caller reads it.
import { describe, expect, test } from "vitest";
import type { EgressFailure } from "../../../lib/egress/egress-dial.ts";
import {
  captureTimeout,
  contentRuleFailed,
  expressionFailed,
  httpError,
  invalidSelector,
  isContextLost,
  navigationError,
  report,
  scriptFailed,
  selectorNotFound,
  styleFailed,
  urlNotAllowed,
  withoutCredentials,
} from "../../../lib/engine/pipeline/capture-failure.ts";
import type { ApiError } from "../../../lib/errors/api-error.ts";
import type { ErrorCode } from "../../../lib/errors/error-kinds.ts";

const url = "https://example.com:8443/page";

describe("a navigation that failed with", () => {
  test.each<[string, EgressFailure | undefined, ErrorCode, string | null]>([
    ["", "refused", "URL_NOT_ALLOWED", null],
    ["net::ERR_TUNNEL_CONNECTION_FAILED", "refused", "URL_NOT_ALLOWED", null],
    ["net::ERR_UNSAFE_PORT", undefined, "URL_NOT_ALLOWED", null],
    ["net::ERR_UNSAFE_REDIRECT", undefined, "URL_NOT_ALLOWED", null],
    ["net::ERR_UNKNOWN_URL_SCHEME", undefined, "URL_NOT_ALLOWED", null],
    ["net::ERR_INVALID_URL", undefined, "URL_NOT_ALLOWED", null],
    ["net::ERR_ACCESS_DENIED", undefined, "URL_NOT_ALLOWED", null],
    ["", "unresolved", "TARGET_NAME_NOT_RESOLVED", "net::ERR_NAME_NOT_RESOLVED"],
    ["net::ERR_TUNNEL_CONNECTION_FAILED", "unresolved", "TARGET_NAME_NOT_RESOLVED", "net::ERR_NAME_NOT_RESOLVED"],
    ["net::ERR_NAME_NOT_RESOLVED", undefined, "TARGET_NAME_NOT_RESOLVED", "net::ERR_NAME_NOT_RESOLVED"],
    ["", "unreachable", "TARGET_UNREACHABLE", "net::ERR_CONNECTION_FAILED"],
    ["net::ERR_TUNNEL_CONNECTION_FAILED", "unreachable", "TARGET_UNREACHABLE", "net::ERR_CONNECTION_FAILED"],
    ["net::ERR_CERT_DATE_INVALID", undefined, "TARGET_TLS_ERROR", "net::ERR_CERT_DATE_INVALID"],
    ["net::ERR_CERT_AUTHORITY_INVALID", undefined, "TARGET_TLS_ERROR", "net::ERR_CERT_AUTHORITY_INVALID"],
    ["net::ERR_SSL_PROTOCOL_ERROR", undefined, "TARGET_TLS_ERROR", "net::ERR_SSL_PROTOCOL_ERROR"],
    ["net::ERR_BAD_SSL_CLIENT_AUTH_CERT", undefined, "TARGET_TLS_ERROR", "net::ERR_BAD_SSL_CLIENT_AUTH_CERT"],
    ["net::ERR_ABORTED", undefined, "TARGET_UNREACHABLE", "net::ERR_ABORTED"],
    ["net::ERR_EMPTY_RESPONSE", undefined, "TARGET_UNREACHABLE", "net::ERR_EMPTY_RESPONSE"],
    ["net::ERR_TOO_MANY_REDIRECTS", undefined, "TARGET_UNREACHABLE", "net::ERR_TOO_MANY_REDIRECTS"],
  ])("'%s' (to the proxy: %s) is %s", (netError, egress, code, reported) => {
    expect(navigationError({ url, netError, ...(egress && { egress }) })).toMatchObject({
      code,
      target: { http_status_code: null, net_error: reported, final_url: url },
    });
  });

  test("a host is told with the host's name", () => {
    expect(navigationError({ url, netError: "net::ERR_NAME_NOT_RESOLVED" }).message).toBe(
      "The name example.com:8443 could not be resolved. Check the spelling of the address.",
    );
  });
});

test("a refusal is the same for every rule, and tells none", () => {
  const refusals = [
    urlNotAllowed(url),
    navigationError({ url, netError: "", egress: "refused" }),
    navigationError({ url, netError: "net::ERR_UNSAFE_PORT" }),
    navigationError({ url, netError: "net::ERR_UNSAFE_REDIRECT" }),
  ];
  expect(new Set(refusals.map(({ message, target }) => JSON.stringify({ message, target }))).size).toBe(1);
});

test("an error status is reported and says how to capture the page nevertheless", () => {
  expect(httpError(url, 503)).toMatchObject({
    code: "TARGET_HTTP_ERROR",
    message:
      "The page at example.com:8443 answered with status 503. Set ignore_host_errors=true to capture its error page.",
    target: { http_status_code: 503, net_error: null, final_url: url },
  });
});

describe("a navigation through the caller's own proxy", () => {
  test.each<[EgressFailure, string]>([
    ["proxy-not-allowed", "The address of the 'proxy' is not allowed. Only proxies on public addresses can be used."],
    ["proxy-unreachable", "The 'proxy' could not be reached, or did not answer. Check its address and port."],
    ["proxy-credentials", "The 'proxy' refused the user name and password. Check them."],
    ["proxy-refused", "The 'proxy' refused to connect to the page's host, or could not."],
  ])("that failed as %s is the proxy's fault", (egress, message) => {
    expect(navigationError({ url, netError: "net::ERR_TUNNEL_CONNECTION_FAILED", egress })).toMatchObject({
      code: "PROXY_FAILED",
      message,
      details: { proxy: [message] },
      target: { final_url: url },
    });
  });
});

describe("a capture that ran out of time", () => {
  const advice = "Raise timeout, wait for less with wait_until, or set on_timeout=capture.";

  test("names its phase and what was pending", () => {
    expect(
      captureTimeout({ phase: "settle", awaited: "", pending: ["https://a.test/1"], canBePartial: true }, report(url)),
    ).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message: `The capture ran out of time in the phase 'settle'. 1 request(s) were still pending, see details. ${advice}`,
      details: { phase: ["settle"], pending: ["https://a.test/1"] },
      target: report(url),
    });
  });

  test("names what it was waiting for", () => {
    expect(
      captureTimeout({ phase: "settle", awaited: "'#a' to go away", pending: [], canBePartial: true }, report(url))
        .message,
    ).toBe(`The capture ran out of time in the phase 'settle', waiting for '#a' to go away. ${advice}`);
  });

  test("counts what would be too long a list, and shortens what would be too long an address", () => {
    const pending = Array.from({ length: 12 }, (_, n) => `https://a.test/${n}?${"x".repeat(300)}`);
    const shown =
      captureTimeout({ phase: "settle", awaited: "", pending: pending, canBePartial: true }, report(url)).details?.[
        "pending"
      ] ?? [];
    expect(shown).toHaveLength(11);
    expect(shown[0]).toMatch(/^https:\/\/a\.test\/0\?x+\.\.\.$/);
    expect(shown[0]).toHaveLength(200);
    expect(shown[10]).toBe("and 2 more");
  });

  test("offers what is painted only where that can be had", () => {
    const overrun = { phase: "capture", awaited: "", pending: [], canBePartial: false };
    expect(captureTimeout(overrun, report(url)).message).toBe(
      "The capture ran out of time in the phase 'capture'. Raise timeout or wait for less with wait_until.",
    );
  });

  test("mentions no requests when there were none", () => {
    const { message, details } = captureTimeout(
      { phase: "capture", awaited: "", pending: [], canBePartial: true },
      report(null),
    );
    expect(message).not.toContain("pending");
    expect(details).toEqual({ phase: ["capture"], pending: [] });
  });
});

describe("selectors that led to nothing", () => {
  test.each([
    [
      ["#x"],
      false,
      "No element matched the selector '#x' of 'selector'. Check it against the page.",
      ["no element matched '#x' within 1.5 s"],
    ],
    [
      ["#x"],
      true,
      "Only hidden elements matched the selector '#x' of 'selector'. Check it against the page.",
      ["only hidden elements matched '#x' within 1.5 s"],
    ],
    [
      ["#x", ".y"],
      false,
      "No element matched the selector '#x' or '.y' of 'selector'. Check it against the page.",
      ["no element matched '#x' within 1.5 s", "no element matched '.y' within 1.5 s"],
    ],
  ])("%j tell whether something hidden matched: %s", (selectors, hidden, message, details) => {
    expect(selectorNotFound("selector", selectors, 1_500, hidden)).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message,
      details: { selector: details },
    });
  });

  test("are told under the option that named them, and shortened", () => {
    const { message, details } = selectorNotFound("click", ["a".repeat(2_000)], 10_000, false);
    expect(message).toContain(`'${"a".repeat(197)}...' of 'click'`);
    expect(details?.["click"]).toEqual([`no element matched '${"a".repeat(197)}...' within 10 s`]);
  });
});

describe("what the caller asked for and could not be done", () => {
  test.each([
    [
      invalidSelector("hover", "a["),
      "VALIDATION_ERROR",
      "Option 'hover' is not a valid CSS selector: 'a['.",
      { hover: ["is not a valid CSS selector: 'a['"] },
    ],
    [
      scriptFailed(1, "a is not defined"),
      "SCRIPT_FAILED",
      "The script at position 2 of 'scripts' failed: a is not defined.",
      { scripts: ["script 2: a is not defined"] },
    ],
    [
      styleFailed("https://example.com/a.css"),
      "STYLE_FAILED",
      "The style sheet https://example.com/a.css of 'styles' could not be loaded. Check its address.",
      { styles: ["could not load https://example.com/a.css"] },
    ],
    [
      expressionFailed("it did not become true within 3.0 s"),
      "EXPRESSION_FAILED",
      "Waiting for 'wait_for_expression' was in vain: it did not become true within 3.0 s.",
      { wait_for_expression: ["it did not become true within 3.0 s"] },
    ],
    [
      contentRuleFailed("fail_if_content_contains", "the page contains 'Error'"),
      "CONTENT_RULE_FAILED",
      "The rule 'fail_if_content_contains' matched: the page contains 'Error'.",
      { fail_if_content_contains: ["the page contains 'Error'"] },
    ],
  ])("is told: %s", (error, code, message, details) => {
    expect(error).toMatchObject({ code, message, details });
  });
});

describe("a password in an address", () => {
  const address = "https://user:s3cr3t@example.com:8443/a?b=c";

  test.each<[string, ApiError]>([
    ["refused", urlNotAllowed(address)],
    ["unresolved", navigationError({ url: address, netError: "net::ERR_NAME_NOT_RESOLVED" })],
    ["unreachable", navigationError({ url: address, netError: "", egress: "unreachable" })],
    ["without a certificate", navigationError({ url: address, netError: "net::ERR_CERT_DATE_INVALID" })],
    ["of a download", navigationError({ url: address, netError: "net::ERR_ABORTED" })],
    ["behind a proxy", navigationError({ url: address, netError: "", egress: "proxy-refused" })],
    ["that answers with an error", httpError(address, 500)],
    [
      "that took too long",
      captureTimeout({ phase: "settle", awaited: "", pending: [], canBePartial: true }, report(address)),
    ],
    ["of a style sheet", styleFailed(address)],
  ])("%s is in no message", (_, error) => {
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain("s3cr3t");
  });

  test.each([
    ["https://user:a@b@example.com/", "https://example.com/"],
    ["https://user@example.com/", "https://example.com/"],
    ["https://example.com/?a=b@c", "https://example.com/?a=b@c"],
    ["no address", "no address"],
  ])("and the user's name are left out: %s is %s", (given, kept) => {
    expect(withoutCredentials(given)).toBe(kept);
  });
});

describe("a page that navigated while it was asked", () => {
  test.each([
    ["Execution context was destroyed, most likely because of a navigation."],
    ["Protocol error (Runtime.callFunctionOn): Cannot find context with specified id"],
    ["Attempted to use detached Frame 'ABC'."],
    ["Protocol error (Runtime.callFunctionOn): Inspected target navigated or closed"],
    ["Protocol error (Runtime.evaluate): uniqueContextId not found"],
    ["Protocol error (Runtime.callFunctionOn): Argument should belong to the same JavaScript world as target object"],
  ])("is recognised: %s", (message) => {
    expect(isContextLost(new Error(message))).toBe(true);
  });

  test.each([["Target closed"], ["SyntaxError: Unexpected token"], ["Navigation timeout of 30000 ms exceeded"]])(
    "is not: %s",
    (message) => {
      expect(isContextLost(new Error(message))).toBe(false);
    },
  );
});
