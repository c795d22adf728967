// Blocking through the whole service: options, reported results, stored facts, logs and billing.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { BOX, GREEN } from "../../fixtures/site-pages.ts";
import { type Client, openClient } from "../../support/client.ts";
import { slowTest } from "../../support/slow-run.ts";

const { site, baseUrl } = inject("service");
const small = { viewport_width: "400", viewport_height: "300" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const captureOf = (path: string, options: Record<string, string> = {}) =>
  client.capture({ url: site + path, ...small, ...options });

const used = async () => (await (await client.get("/api/v1/account")).json()).quotas;

describe("blocking: what was blocked", () => {
  const ads = { block_ads: "true", block_trackers: "true" };

  test("is in a header of the image response, readable by any site", async () => {
    const response = await captureOf("/news", ads);
    expect(response.headers.get("x-blocked")).toMatch(/^requests=[1-9]\d*$/);
    expect(response.headers.get("access-control-expose-headers")).toContain("X-Blocked");
  });

  test("is in the JSON of a stored result", async () => {
    const { metadata } = await (await captureOf("/news", { ...ads, response_type: "json" })).json();
    expect(metadata).toEqual({
      blocked: { requests: expect.toSatisfy((count) => count > 5), dialogs: 0, unlocked: false },
    });
  });

  test("is part of a page's metadata", async () => {
    const facts = await (await captureOf("/news", { ...ads, format: "json" })).json();
    expect(facts).toMatchObject({ page_title: "Fixture", blocked: { requests: expect.any(Number) } });
  });

  slowTest("is reported again from the cache", async () => {
    const cached = { ...ads, cache: "true" };
    const first = (await captureOf("/news", cached)).headers;
    const second = (await captureOf("/news", cached)).headers;
    expect([first.get("x-cache"), second.get("x-cache")]).toEqual(["MISS", "HIT"]);
    expect(second.get("x-blocked")).toBe(first.get("x-blocked"));
  });

  slowTest("is reported for an asynchronous capture", async () => {
    const body = { options: { ...small, ...ads }, requests: [{ url: `${site}/news` }] };
    const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
    const response = await fetch(`${baseUrl}/api/v1/bulk`, { method: "POST", headers, body: JSON.stringify(body) });
    const { data } = await response.json();
    expect(data).toMatchObject([{ status: "success", metadata: { blocked: { requests: expect.any(Number) } } }]);
  });

  test("is not reported when nothing was to be blocked", async () => {
    const response = await captureOf("/box", { javascript: "false" });
    expect([response.status, response.headers.has("x-blocked")]).toEqual([200, false]);
  });
});

test("blocking: a cookie banner is rejected, and its platform is reported", async () => {
  const response = await captureOf("/consent/onetrust", { block_cookie_banners: "true" });
  expect(response.headers.get("x-blocked")).toMatch(/; cookie_banner=rejecting \(onetrust\)/i);
});

slowTest("blocking: without JavaScript, a page does not navigate by itself", async () => {
  const path = "/leaves?to=/not-found";
  expect((await captureOf(path)).status).toBe(422);
  expect((await captureOf(path, { javascript: "false" })).status).toBe(200);
});

describe("blocking: a bot challenge", () => {
  test("is reported, logged and not billed", async () => {
    const before = await used();
    const response = await captureOf("/wall?vendor=akamai-refusal");
    const error = await response.json();
    expect([response.status, error]).toEqual([
      422,
      expect.objectContaining({ code: "TARGET_BLOCKED", retryable: false, details: { wall: ["Akamai"] } }),
    ]);
    const [log] = await client.logs();
    expect(log).toMatchObject({ id: error.request_id, status: "failed", http_status_code: 403 });
    expect(await used()).toEqual(before);
  });

  slowTest("is passed when it lets the browser through", async () => {
    const response = await captureOf("/wall-that-opens?vendor=anubis");
    expect((await decode(Buffer.from(await response.arrayBuffer()))).colourAt(BOX.x + 5, BOX.y + 5)).toEqual(GREEN);
  });
});
