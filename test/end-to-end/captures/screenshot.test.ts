// GET|POST /api/v1/screenshot through the whole service: API, function, Chromium, proxy, tables.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { plans, quotaFor } from "../../../lib/contract/plans.ts";
import { decode } from "../../fixtures/png.ts";
import { BLACK, BOX, bandColour, RED, WHITE } from "../../fixtures/site-pages.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

const { baseUrl, site } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test("screenshot: GET returns an image of the page", async () => {
  const response = await client.capture({ url: `${site}/box` });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/png");
  const image = await decode(await bytesOf(response));
  expect([image.width, image.height]).toEqual([1280, 1024]);
  expect(image.colourAt(BOX.x + 1, BOX.y + 1)).toEqual(RED);
  expect(image.colourAt(BOX.x - 1, BOX.y + 1)).toEqual(WHITE);
});

sampled(test, 2).each([
  ["JSON", "application/json", (options: Record<string, unknown>) => JSON.stringify(options)],
  [
    "form",
    "application/x-www-form-urlencoded",
    (options: Record<string, unknown>) => `${new URLSearchParams(options as Record<string, string>)}`,
  ],
])("screenshot: POST takes a %s body with the query", async (_, type, write) => {
  const response = await fetch(`${baseUrl}/api/v1/screenshot?viewport_width=300&format=jpeg`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.key}`, "Content-Type": type },
    body: write({ url: `${site}/color-scheme`, viewport_width: 300, viewport_height: 200, dark_mode: true }),
  });
  expect(response.headers.get("content-type")).toBe("image/jpeg");
  const image = await decode(await bytesOf(response));
  expect([image.width, image.height]).toEqual([300, 200]);
  expect(image.colourAt(10, 10)).toEqual(BLACK);
});

test("screenshot: the bytes come with their type and the response time", async () => {
  const response = await client.capture({ url: `${site}/redirect` });
  const body = await bytesOf(response);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    "content-length": String(body.length),
    "content-disposition": "inline",
    "x-cache": "BYPASS",
    "x-final-url": `${site}/box`,
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
  });
  expect(headers["etag"]).toMatch(/^"[\w-]{22}"$/);
  expect(Number(headers["x-response-time"])).toBeGreaterThan(0);
  expect(Number.isSafeInteger(Number(headers["x-request-id"]))).toBe(true);
  const phases = headers["server-timing"]?.split(", ").map((entry) => entry.split(";")[0]);
  expect(phases).toEqual(["auth", "browser", "navigate", "settle", "capture", "encode", "store"]);
  for (const name of ["x-request-id", "x-response-time", "x-cache", "server-timing"]) {
    expect(headers["access-control-expose-headers"]?.toLowerCase()).toContain(name);
  }
});

test("screenshot: a result of more than 30 MB is delivered whole", async () => {
  const response = await client.capture({ url: `${site}/noise`, full_page: "true", viewport_width: "3600" });
  const body = await bytesOf(response);
  expect(body.length).toBeGreaterThan(30e6);
  expect(body.length).toBe(Number(response.headers.get("content-length")));
  const image = await decode(body);
  expect([image.width, image.height]).toEqual([3600, 3000]);
});

test("screenshot: captures HTML and Markdown from the request", async () => {
  const html = await decode(await bytesOf(await client.capture({ html: "<body style='background:#000'>" })));
  expect(html.colourAt(600, 600)).toEqual(BLACK);
  const markdown = await client.capture({ markdown: "# Title", source: "markdown" });
  expect((await bytesOf(markdown)).length).toBeGreaterThan(5_000);
});

slowTest(
  "screenshot: twenty concurrent captures each return their own page",
  async () => {
    const bands = Array.from({ length: 20 }, (_, band) => band);
    const pictures = await Promise.all(
      bands.map(async (band) => {
        const response = await client.capture({ url: `${site}/bands`, selector: `#band-${band}` });
        return (await decode(await bytesOf(response))).colourAt(5, 50);
      }),
    );
    expect(pictures).toEqual(bands.map(bandColour));
  },
  60_000,
);

describe("screenshot: validate", () => {
  test("answers all options that apply and what would be billed, and captures nothing", async () => {
    const own = await openClient({ plan: "free" });
    const response = await own.capture({
      url: `${site}/box`,
      format: "mp4",
      validate: "true",
      authorization: "Bearer hush",
      viewport_device: "iphone_15_pro",
    });
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([200, "9"]);
    const body = await response.json();
    expect(body).toMatchObject({ valid: true, billed_as: "video" });
    expect(body.options).toMatchObject({
      url: `${site}/box`,
      format: "mp4",
      timeout: 90,
      video_fps: 25,
      device_scale_factor: 3,
      authorization: "REDACTED",
    });
    expect(body.options).not.toHaveProperty("validate");
    expect(await own.logs()).toEqual([]);
    expect((await (await own.get("/api/v1/account")).json()).quotas.videos.used).toBe(0);
  });

  test.each([
    [{ html: "x", format: "photo" }, 422, "VALIDATION_ERROR"],
    [{ url: "http://10.0.0.1/" }, 403, "URL_NOT_ALLOWED"],
  ])("answers %j with the error of the capture", async (options, status, code) => {
    const response = await client.capture({ ...options, validate: "true" });
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
  });
});

test("screenshot: the error of a page with an error status names no option that was not sent", async () => {
  const page = `${site}/not-found`;
  const { error } = await (await client.capture({ url: page })).json();
  expect(error).toMatch(/status 404\. Set ignore_host_errors=true to capture its error page\.$/);
  const own = await (await client.capture({ url: page, fail_on_status: "404" })).json();
  expect(own.error).toMatch(/Your fail_on_status includes it; leave 404 out of it to capture the page\.$/);
});

slowTest("screenshot: a response says how much remains of the quota that it counts against", async () => {
  const remaining = ({ headers }: Response) => headers.get("x-quota-remaining");
  const trial = await openClient({ plan: "free" });
  const cached = { html: "x", cache_ttl: "60", viewport_width: "100", viewport_height: "100" };
  const answers = [
    await trial.capture(cached),
    await trial.capture(cached),
    await trial.capture({ ...cached, html: "y" }),
  ];
  expect(answers.map(remaining)).toEqual(["299", "299", "298"]);
  expect(remaining(await trial.get("/api/v1/usage"))).toBeNull();
  const paid = await openClient({ plan: "starter" });
  const screenshots = quotaFor("screenshots", plans.starter).limit;
  const videos = quotaFor("videos", plans.starter).limit;
  const captures = quotaFor("videos", plans.pro).limit;
  const video = { html: "x", format: "webm", video_duration: "1", viewport_width: "100", viewport_height: "100" };
  expect(remaining(await paid.capture(cached))).toBe(String(screenshots - 1));
  expect(remaining(await paid.capture(cached))).toBe(String(screenshots - 1));
  expect(remaining(await paid.capture({ ...cached, html: "y" }))).toBe(String(screenshots - 2));
  expect(remaining(await paid.capture(video))).toBe(String(videos - 1));
  expect(remaining(await paid.capture({ ...video, html: "not", fail_if_selector_present: "html" }))).toBe(
    String(videos - 1), // failures are free
  );
  expect(remaining(await paid.capture({ ...video, html: "now" }))).toBe(String(videos - 2));
  const pro = await openClient({ plan: "pro" });
  expect(remaining(await pro.capture(video))).toBe(String(captures - 1));
  expect(remaining(await pro.capture(cached))).toBe(String(captures - 2));
});
