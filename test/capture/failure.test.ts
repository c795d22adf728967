import { describe, expect, test } from "vitest";
import type { EgressFailure } from "../../lib/capture/egress-dial.ts";
import {
  captureTimeout,
  httpError,
  isContextLost,
  navigationError,
  report,
  selectorNotFound,
  urlNotAllowed,
} from "../../lib/capture/failure.ts";
import type { ErrorCode } from "../../lib/contract/errors.ts";

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

describe("a capture that ran out of time", () => {
  test("names its phase and what was pending", () => {
    expect(captureTimeout("settle", ["https://a.test/1"], report(url))).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message:
        "The capture ran out of time in the phase 'settle'. 1 request(s) were still pending, see details. " +
        "Raise timeout or wait for less with wait_until.",
      details: { phase: ["settle"], pending: ["https://a.test/1"] },
      target: report(url),
    });
  });

  test("counts what would be too long a list, and shortens what would be too long an address", () => {
    const pending = Array.from({ length: 12 }, (_, n) => `https://a.test/${n}?${"x".repeat(300)}`);
    const shown = captureTimeout("settle", pending, report(url)).details?.pending ?? [];
    expect(shown).toHaveLength(11);
    expect(shown[0]).toMatch(/^https:\/\/a\.test\/0\?x+\.\.\.$/);
    expect(shown[0]).toHaveLength(200);
    expect(shown[10]).toBe("and 2 more");
  });

  test("mentions no requests when there were none", () => {
    const { message, details } = captureTimeout("capture", [], report(null));
    expect(message).not.toContain("pending");
    expect(details).toEqual({ phase: ["capture"], pending: [] });
  });
});

describe("a selector that led to nothing", () => {
  test.each([
    [false, "No element matched the selector '#x'. Check it against the page.", "no element matched '#x' within 1.5 s"],
    [
      true,
      "Only hidden elements matched the selector '#x'. Check it against the page.",
      "only hidden elements matched '#x' within 1.5 s",
    ],
  ])("tells whether something hidden matched: %s", (hidden, message, detail) => {
    expect(selectorNotFound("#x", 1_500, hidden)).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      message,
      details: { selector: [detail] },
    });
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
