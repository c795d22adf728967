// Errors of the captured page, as a caller reads them.
import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../lib/contract/errors/error-kinds.ts";
import { defaultLimits } from "../../../lib/contract/options/capture-limits.ts";
import type { Format } from "../../../lib/contract/options/formats.ts";
import type { EgressFailure } from "../../../lib/engine/egress/egress-dial.ts";
import { httpError, limitExceeded, navigationError, urlNotAllowed } from "../../../lib/engine/errors/target-errors.ts";

const url = "https://example.com:8443/page";

describe("navigation errors:", () => {
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
  ])("'%s' (egress proxy: %s) becomes %s", (netError, egress, code, reported) => {
    expect(navigationError({ url, netError, ...(egress && { egress }) })).toMatchObject({
      code,
      target: { http_status_code: null, net_error: reported, final_url: url },
    });
  });

  test("the message names the host", () => {
    expect(navigationError({ url, netError: "net::ERR_NAME_NOT_RESOLVED" }).message).toBe(
      "The name example.com:8443 could not be resolved. Check the spelling of the address.",
    );
  });
});

test("URL_NOT_ALLOWED is the same for every rule, so that it does not reveal the rule", () => {
  const errors = [
    urlNotAllowed(url),
    navigationError({ url, netError: "", egress: "refused" }),
    navigationError({ url, netError: "net::ERR_UNSAFE_PORT" }),
    navigationError({ url, netError: "net::ERR_UNSAFE_REDIRECT" }),
  ];
  expect(new Set(errors.map(({ message, target }) => JSON.stringify({ message, target }))).size).toBe(1);
});

test("TARGET_HTTP_ERROR reports the status and says how to capture the error page", () => {
  expect(httpError(url, 503)).toMatchObject({
    code: "TARGET_HTTP_ERROR",
    message:
      "The page at example.com:8443 responded with status 503. Set ignore_host_errors=true to capture its error page.",
    target: { http_status_code: 503, net_error: null, final_url: url },
  });
});

describe("PROXY_FAILED:", () => {
  test.each<[EgressFailure, string]>([
    ["proxy-not-allowed", "The address of the 'proxy' is not allowed. Use a proxy with a public address."],
    ["proxy-unreachable", "Could not connect to the 'proxy'. Check its address and port."],
    ["proxy-credentials", "The 'proxy' rejected the user name and password. Check them."],
    ["proxy-refused", "The 'proxy' refused or failed to connect to the host of the page."],
  ])("a failure of the caller's proxy as %s says what to check", (egress, message) => {
    expect(navigationError({ url, netError: "net::ERR_TUNNEL_CONNECTION_FAILED", egress })).toMatchObject({
      code: "PROXY_FAILED",
      message,
      details: { proxy: [message] },
      target: { final_url: url },
    });
  });
});

describe("TARGET_TOO_LARGE by memory names what helps", () => {
  const messageFor = (format: Format) => {
    const capture = { limits: defaultLimits, javascript: false, format };
    const target = { http_status_code: 200, net_error: null, final_url: url };
    return limitExceeded("memory_megabytes", capture, target).message;
  };

  test("a PDF: fewer rows, a lower scale or larger paper, but no device scale factor", () => {
    const message = messageFor("pdf");
    expect(message).toContain(
      "table rows with hide_selectors, print a part of the page with selector, lower pdf_scale, or choose larger paper. Fewer",
    );
    expect(message).not.toMatch(/device_scale_factor|javascript/);
  });

  test("an image or a video: a lower device scale factor", () => {
    for (const format of ["png", "mp4"] as const) expect(messageFor(format)).toContain("lower device_scale_factor");
  });

  test("a document: a smaller page", () => {
    expect(messageFor("markdown")).toMatch(/Capture a smaller page\.$/);
  });
});
