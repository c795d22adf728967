// Captures that fail by a failed request of the page.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "../../../../lib/fixtures/site.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 20 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

const failed = (path: string, options: Options = {}) => failureOf(captureOf(path, options));

describe("fail_if_request_failed", () => {
  test.each([
    ["part of an address", "/missing.png", "missing.png failed (404)"],
    ["a pattern", "http*.json", "missing.json failed (404)"],
    ["a request that broke off", "/breaks-off", "breaks-off failed (net::ERR_CONTENT_LENGTH_MISMATCH)"],
  ])("names the request that failed: %s", async (_, pattern, told) => {
    expect(await failed("/console", { fail_if_request_failed: ["/other", pattern] })).toMatchObject({
      code: "CONTENT_RULE_FAILED",
      details: { fail_if_request_failed: [`${site.origin}/${told}`] },
    });
  });

  test.each([["/console"], ["*.jpg"], ["missing.pn*x"]])("ignores other requests: %s", async (pattern) => {
    expect((await captureOf("/console", { fail_if_request_failed: [pattern] })).statusCode).toBe(200);
  });
});
