// URLs in errors have no credentials.
import { describe, expect, test } from "vitest";
import type { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { styleFailed } from "../../../lib/engine/errors/option-errors.ts";
import { httpError, navigationError, urlNotAllowed } from "../../../lib/engine/errors/target-errors.ts";
import { targetReport, withoutCredentials } from "../../../lib/engine/errors/target-report.ts";
import { captureTimeout } from "../../../lib/engine/errors/timeout-errors.ts";

describe("the password of a URL", () => {
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
      captureTimeout({ phase: "settle", awaited: "", pending: [], advice: [] }, targetReport(address)),
    ],
    ["of a style sheet", styleFailed(address)],
  ])("is in no message: %s", (_, error) => {
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain("s3cr3t");
  });

  test.each([
    ["https://user:a@b@example.com/", "https://example.com/"],
    ["https://user@example.com/", "https://example.com/"],
    ["https://example.com/?a=b@c", "https://example.com/?a=b@c"],
    ["no address", "no address"],
  ])("and its user name are removed: %s becomes %s", (given, kept) => {
    expect(withoutCredentials(given)).toBe(kept);
  });
});
