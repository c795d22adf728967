// Captures that fail by a failed request of the page.
import { describe, expect, test } from "vitest";
import { failureOf } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";
import { type Options, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, origin } = startSmallCaptures();

const failed = (path: string, options: Options = {}) => failureOf(captureOf(path, options));

describe("fail_if_request_failed", () => {
  sampled(test, 6).each([
    ["part of an address", "/missing.png", "missing.png failed (404)"],
    ["a pattern", "http*.json", "missing.json failed (404)"],
    ["a request that broke off", "/breaks-off", "breaks-off failed (net::ERR_CONTENT_LENGTH_MISMATCH)"],
  ])("names the request that failed: %s", async (_, pattern, reported) => {
    expect(await failed("/console", { fail_if_request_failed: ["/other", pattern] })).toMatchObject({
      code: "CONTENT_RULE_FAILED",
      details: { fail_if_request_failed: [`${origin()}/${reported}`] },
    });
  });

  sampled(test, 6).each([["/console"], ["*.jpg"], ["missing.pn*x"]])("ignores other requests: %s", async (pattern) => {
    expect((await captureOf("/console", { fail_if_request_failed: [pattern] })).statusCode).toBe(200);
  });
});
