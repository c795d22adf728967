// Response size: what a response carries within Lambda's bandwidth and time, and what it redirects to.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { isRedirected, requireSendable } from "../../../lib/service/captures/response-size.ts";
import { apiErrorOf } from "../../support/builders.ts";

const MB = 1_000_000;

const aRequest = ({ maxMegabytes = 10, ...sent }: Record<string, unknown> & { maxMegabytes?: number } = {}) => ({
  options: parseCaptureOptions({ html: "x", ...sent }),
  job: undefined,
  startedAt: 0,
  maxBodyBytes: maxMegabytes * MB,
});

describe("response size: a result is redirected to", () => {
  test.each([
    ["above the limit of the stage", 10 * MB + 1, 0, {}, true],
    ["not at the limit of the stage", 10 * MB, 0, {}, false],
    ["when the time that is left is too short for it", 190 * MB, 60_000, { maxMegabytes: 200 }, true],
    ["not when the time is long enough", 105 * MB, 60_000, { maxMegabytes: 200 }, false],
    ["at the end when it is larger than Lambda's first 6 MB", 6 * MB + 1, 119_000, {}, true],
    ["not at the end when Lambda sends it at once", 6 * MB, 119_000, {}, false],
    ["not with response_type=json, which links to it anyway", 50 * MB, 0, { response_type: "json" }, false],
    ["not with response_type=empty", 50 * MB, 0, { response_type: "empty" }, false],
    ["not with response_type=base64, whose text is not what is stored", 50 * MB, 0, { response_type: "base64" }, false],
  ])("%s", (_, sizeBytes, now, sent, expected) => {
    expect(isRedirected(aRequest(sent), sizeBytes, now)).toBe(expected);
  });
});

test("response size: base64 text that cannot be sent in the time that is left is too large, with what to do", () => {
  const request = aRequest({ response_type: "base64" });
  requireSendable(request, 82 * MB, 60_000); // 109 of 110 MB
  const { code, message } = apiErrorOf(() => requireSendable(request, 83 * MB, 60_000));
  expect({ code, message }).toEqual({
    code: "RESULT_TOO_LARGE",
    message:
      "The base64 text would have 110.6 MB, and 110 MB can be sent in the time that is left. Leave response_type out, or " +
      "store the result with response_type=json.",
  });
});

test("response size: base64 text is never larger than Lambda streams at all", () => {
  const request = aRequest({ response_type: "base64" });
  expect(apiErrorOf(() => requireSendable(request, 151 * MB, 0)).code).toBe("RESULT_TOO_LARGE");
});
