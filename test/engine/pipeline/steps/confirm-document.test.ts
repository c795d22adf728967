// Which HTTP statuses fail a capture.
import { describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { BOX, RED } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";
import { type Options, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, origin } = startSmallCaptures();

const failed = (path: string, options: Options = {}) => failureOf(captureOf(path, options));

/** A point inside the box of `/box`. */
const inside = [BOX.x + 1, BOX.y + 1] as const;

describe("ignore_host_errors", () => {
  test("captures an error page, and reports its status", async () => {
    const { body, statusCode, finalUrl } = await captureOf("/not-found", { ignore_host_errors: true });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect({ statusCode, finalUrl }).toEqual({ statusCode: 404, finalUrl: `${origin()}/not-found` });
  });

  test("captures an error response without a body", async () => {
    expect((await captureOf("/empty-500", { format: "text", ignore_host_errors: true })).statusCode).toBe(500);
  });
});

describe("fail_on_status", () => {
  sampled(test, 6).each([
    ["/status?status=200", "200"],
    ["/not-found", "400,404,500-511"],
    ["/status?status=503", "400,404,500-511"],
  ])("%s fails on %s", async (path, fail_on_status) => {
    expect((await failed(path, { fail_on_status })).code).toBe("TARGET_HTTP_ERROR");
  });

  test("is named by the error of its own statuses, and ignore_host_errors by that of the others", async () => {
    const own = await failed("/status?status=200", { fail_on_status: "200" });
    expect(own.message).toMatch(
      /status 200\. Your fail_on_status includes it; leave 200 out of it to capture the page\.$/,
    );
    const other = await failed("/not-found");
    expect(other.message).toMatch(/status 404\. Set ignore_host_errors=true to capture its error page\.$/);
  });

  test("captures a page with any other error", async () => {
    expect((await captureOf("/not-found", { format: "text", fail_on_status: "400,405-599" })).statusCode).toBe(404);
  });
});
