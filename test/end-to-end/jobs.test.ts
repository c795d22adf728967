// Asynchronous captures over HTTP: accepted, polled, stored, deleted.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { findJob } from "../../lib/service/jobs/job-store.ts";
import { decode } from "../fixtures/png.ts";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";
import { signIn } from "../support/signed-in.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

const { baseUrl, site, activityTable } = inject("service");
const small = { viewport_width: "200", viewport_height: "100" };
let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const send = (method: string, path: string, { by = client, body = undefined as object | undefined } = {}) =>
  sendWith(by, method, path, { body });

const submit = (options: object, by = client) =>
  send("POST", "/api/v1/screenshot", { by, body: { async: true, ...options } });

/** What is stored of a capture, without a request that counts. */
const findStored = (id: number, { accountId }: Client) =>
  findJob(activityTable, { account_id: accountId, id }, Date.now());

const stateOf = async (id: number, by = client) => (await by.get(`/api/v1/screenshot/${id}`)).json();

const outcomeOf = (id: number, by = client) => endOf(id, by);

async function accepted(options: object, by = client): Promise<number> {
  const response = await submit(options, by);
  expect(response.status).toBe(202);
  return (await response.json()).request_id;
}

const visitsTo = async (name: string) => (await fetch(`${site}/visits?name=${name}`)).json();

describe("asynchronous capture: a success", () => {
  test("is accepted at once, has a status until it ends, and can be downloaded", async () => {
    const own = await openClient();
    const response = await submit({ url: `${site}/box`, ...small, metadata_page_title: true }, own);
    const body = await response.json();
    const id = body.request_id;
    expect(response.status).toBe(202);
    expect(body).toEqual({
      message: "The capture is queued. Get its state from `status_url`.",
      request_id: expect.any(Number),
      status: "queued",
      status_url: `${baseUrl}/api/v1/screenshot/${id}`,
      webhook_url: null,
      webhook_receiver: null,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: `/api/v1/screenshot/${id}`,
      "x-request-id": String(id),
      "x-ratelimit-limit": "150",
      "cache-control": "no-store",
    });

    const state = await outcomeOf(id, own);
    expect(state).toEqual({
      request_id: id,
      status: "success",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      external_identifier: null,
      page_url: `${site}/box`,
      format: "png",
      webhook_target: null,
      url: expect.stringMatching(`^${baseUrl}/storage/`),
      expires_at: expect.stringMatching(/\.000Z$/),
      mime_type: "image/png",
      file_size_bytes: expect.any(Number),
      response_time_ms: expect.any(Number),
      from_cache: false,
      metadata: { page_title: "Fixture" },
    });
    const image = Buffer.from(await (await fetch(state.url)).arrayBuffer());
    expect(image.length).toBe(state.file_size_bytes);
    const { width, height } = await decode(image);
    expect([width, height]).toEqual([200, 100]);

    expect(await own.logs()).toMatchObject([
      { id, status: "success", response_time_ms: state.response_time_ms, url: `${site}/box`, cached: false },
    ]);
  });

  test("can have more HTML than a message holds", async () => {
    const html = `<title>Long</title><p>${"x".repeat(1_500_000)}</p>`;
    const id = await accepted({ html, format: "text", metadata_page_title: true });
    const state = await outcomeOf(id);
    expect(state).toMatchObject({ status: "success", mime_type: "text/plain; charset=utf-8" });
    expect((await (await fetch(state.url)).text()).trim()).toHaveLength(1_500_000);
  });

  test("is served from the cache when possible, and costs nothing then", async () => {
    const own = await openClient({ plan: "free" });
    const name = randomUUID();
    const options = { url: `${site}/counted?name=${name}`, cache_ttl: 600, ...small };
    const first = await outcomeOf(await accepted(options, own), own);
    const second = await outcomeOf(await accepted(options, own), own);
    expect([first.from_cache, second.from_cache, await visitsTo(name)]).toEqual([false, true, 1]);
    expect((await fetch(second.url)).status).toBe(200);
    expect((await own.logs()).map(({ cached }) => cached)).toEqual([true, false]);
    expect(await usedOf(own)).toBe(1);
  });
});

const usedOf = async (by: Client): Promise<number> => {
  const { quotas } = await (await by.get("/api/v1/account")).json();
  return quotas.screenshots.used;
};

describe("asynchronous capture: a failure", () => {
  test("has the error, is logged once, and is not billed", async () => {
    const own = await openClient({ plan: "free" });
    const unfit = await outcomeOf(
      await accepted({ html: fakePage({ error: "CONTENT_RULE_FAILED" }), fail_if_content_contains: "sold" }, own),
      own,
    );
    expect(unfit).toMatchObject({ status: "failed", error: { code: "CONTENT_RULE_FAILED" } });
    const id = await accepted({ url: `${site}/status?status=503` }, own);
    const state = await outcomeOf(id, own);
    expect(state).toEqual({
      request_id: id,
      status: "failed",
      created_at: expect.any(String),
      finished_at: expect.any(String),
      external_identifier: null,
      page_url: `${site}/status?status=503`,
      format: "png",
      webhook_target: null,
      error: {
        error: expect.stringMatching(/503/),
        code: "TARGET_HTTP_ERROR",
        request_id: id,
        retryable: true,
        target: { http_status_code: 503, net_error: null, final_url: `${site}/status?status=503` },
      },
    });
    expect(await own.logs()).toMatchObject([
      { id, status: "failed", http_status_code: 503 },
      { status: "failed", http_status_code: null },
    ]);
    expect(await usedOf(own)).toBe(0);
  });
});

describe("asynchronous capture: is rejected at once for", () => {
  test.each([
    ["an option that is wrong", { html: "x", format: "photo" }, "format"],
    ["a webhook to a mapped private address", { html: "x", webhook_url: "https://[::ffff:10.0.0.1]/" }, "webhook_url"],
  ])("%s", async (_, options, field) => {
    const response = await submit(options);
    const { code, details } = await response.json();
    expect([response.status, code, Object.keys(details)]).toEqual([422, "VALIDATION_ERROR", [field]]);
  });

  sampled(test, 2).each([["http://169.254.169.254/latest/meta-data/"], [`${baseUrl}/health`]])(
    "the address %s, as if it were synchronous",
    async (url) => {
      const own = await openClient({ plan: "free" });
      const [response, synchronous] = [await submit({ url }, own), await own.capture({ url })];
      const errors = [await response.json(), await synchronous.json()].map(
        ({ request_id: _, docs: __, target: ___, ...error }) => error,
      );
      expect([response.status, synchronous.status]).toEqual([403, 403]);
      expect(errors[0]).toMatchObject({ code: "URL_NOT_ALLOWED" });
      expect(errors[0]).toEqual(errors[1]);
      expect(await usedOf(own)).toBe(0);
    },
  );

  sampled(test, 2).each([
    ["a proxy", { html: "x", proxy: "http://10.0.0.1:3128" }, "PROXY_FAILED"],
    [
      "a storage",
      {
        html: "x",
        store: true,
        storage_path: "a",
        storage_bucket: "my-bucket",
        storage_endpoint: "https://10.0.0.1",
        storage_access_key_id: "a",
        storage_secret_access_key: "b",
      },
      "URL_NOT_ALLOWED",
    ],
  ])("%s at a private address, also in a bulk request", async (_, options, code) => {
    const response = await submit(options);
    expect(await response.json()).toMatchObject({ code });
    const bulk = await send("POST", "/api/v1/bulk", { body: { requests: [options] } });
    expect((await bulk.json()).data).toMatchObject([{ status: "refused", error: { code } }]);
  });

  test("more concurrent captures than the plan allows, until one ends", async () => {
    const own = await openClient({ plan: "free" });
    const name = randomUUID();
    const slow = { url: `${site}/counted?name=${name}&shut=0`, ...small };
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => accepted(slow, own)));
    const response = await submit(slow, own);
    const body = await response.json();
    expect([response.status, body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(body.error).toBe(
      "The account has 5 asynchronous captures that are queued or processing; its plan allows 5 at once. " +
        "Try again in 10 s.",
    );
    expect(response.headers.get("retry-after")).toBe("10");
    await fetch(`${site}/opens?name=${name}`);
    const over = async () => {
      const jobs = await Promise.all(ids.map((id) => findStored(id, own)));
      expect(jobs.map((job) => job?.status)).toContain("success");
    };
    await vi.waitFor(over, { timeout: 25_000 });
    ids.push(await accepted({ html: "x", ...small }, own));
    const all = async () => {
      const jobs = await Promise.all(ids.map((id) => findStored(id, own)));
      expect(jobs.map((job) => job?.status)).toEqual(ids.map(() => "success"));
    };
    await vi.waitFor(all, { timeout: 25_000 });
    expect(await usedOf(own)).toBe(6);
  });
});

describe("asynchronous capture: is not found", () => {
  let id: number;
  beforeAll(async () => {
    id = await accepted({ html: "x", ...small });
    await outcomeOf(id);
  });

  test("by another account, without a key, by another id, or when it was synchronous", async () => {
    const [other, synchronous] = await Promise.all([openClient(), client.capture({ html: "x", ...small })]);
    const absent = [
      send("GET", `/api/v1/screenshot/${id}`, { by: other }),
      send("DELETE", `/api/v1/screenshot/${id}`, { by: other }),
      client.get("/api/v1/screenshot/%00"),
      client.get(`/api/v1/screenshot/${synchronous.headers.get("x-request-id")}`),
    ];
    for (const response of await Promise.all(absent))
      expect([response.status, (await response.json()).code]).toEqual([404, "NOT_FOUND"]);
    expect((await fetch(`${baseUrl}/api/v1/screenshot/${id}`)).status).toBe(401);
    expect(await stateOf(id)).toMatchObject({ status: "success", url: expect.any(String) });
  });
});

describe("asynchronous capture: DELETE", () => {
  test("removes the result with its slices, and does nothing the second time", async () => {
    const slices = { full_page: true, full_page_slices: true, full_page_slice_height: 200 };
    const id = await accepted({
      html: '<body style="margin:0"><div style="height:300px">',
      ...small,
      ...slices,
      metadata_page_title: true,
    });
    const before = await outcomeOf(id);
    expect(before.slices).toMatchObject([
      { top: 0, height: 200 },
      { top: 200, height: 100 },
    ]);
    for (const { url } of before.slices) expect((await fetch(url)).status).toBe(200);
    for (const _ of [1, 2]) {
      const response = await send("DELETE", `/api/v1/screenshot/${id}`);
      expect([response.status, await response.text()]).toEqual([204, ""]);
    }
    const after = await stateOf(id);
    const { metadata: _, slices: __, ...facts } = before;
    expect(after).toEqual({ ...facts, url: null, unavailable_reason: "deleted" });
    for (const url of [before.url, ...before.slices.map((slice: { url: string }) => slice.url)]) {
      expect((await fetch(url)).status).toBe(404);
    }
  });

  /** Asks twice for the same capture, so that the second is answered by the result of the first. */
  async function twoOfOneResult(own: Client) {
    const name = randomUUID();
    const options = { url: `${site}/counted?name=${name}`, cache_ttl: 600, ...small };
    const a = await outcomeOf(await accepted(options, own), own);
    const b = await outcomeOf(await accepted(options, own), own);
    expect([a.from_cache, b.from_cache]).toEqual([false, true]);
    return { name, options, a, b };
  }
  const remove = async (id: number, by: Client) => (await send("DELETE", `/api/v1/screenshot/${id}`, { by })).status;
  const statusOf = async (url: string) => (await fetch(url)).status;
  const text = (options: object) => Object.fromEntries(Object.entries(options).map(([k, v]) => [k, String(v)]));
  const deleted = { status: "success", url: null, unavailable_reason: "deleted" };

  slowTest(
    "of a capture served from the cache keeps the capture that made the result, and the cache entry",
    async () => {
      const own = await openClient();
      const { name, options, a, b } = await twoOfOneResult(own);
      for (const _ of [1, 2]) expect(await remove(b.request_id, own)).toBe(204);
      expect(await stateOf(b.request_id, own)).toMatchObject(deleted);
      const left = await stateOf(a.request_id, own);
      expect([left.url, await statusOf(left.url)]).toEqual([a.url, 200]);
      const next = await own.capture(text(options));
      expect([next.headers.get("x-cache"), await visitsTo(name)]).toEqual(["HIT", 1]);
      // The answer with bytes refers to nothing that is stored.
      expect(await remove(a.request_id, own)).toBe(204);
      expect(await stateOf(a.request_id, own)).toMatchObject(deleted);
      expect(await statusOf(a.url)).toBe(404);
      const again = await own.capture(text(options));
      expect([again.status, again.headers.get("x-cache"), await visitsTo(name)]).toEqual([200, "MISS", 2]);
    },
  );

  slowTest(
    "of the capture that made a result keeps the one served from the cache, until that is deleted too",
    async () => {
      const own = await openClient();
      const { name, options, a, b } = await twoOfOneResult(own);
      expect(await remove(a.request_id, own)).toBe(204);
      expect(await stateOf(a.request_id, own)).toMatchObject(deleted);
      expect([(await stateOf(b.request_id, own)).url, await statusOf(b.url)]).toEqual([b.url, 200]);
      expect(await outcomeOf(await accepted(options, own), own)).toMatchObject({ from_cache: true });
      expect([await remove(b.request_id, own), await statusOf(b.url), await visitsTo(name)]).toEqual([204, 200, 1]);
    },
  );

  test("keeps the cache entry of a synchronous request", async () => {
    const own = await openClient();
    const name = randomUUID();
    const options = { url: `${site}/counted?name=${name}`, cache_ttl: 600, ...small };
    expect((await own.capture(text(options))).headers.get("x-cache")).toBe("MISS");
    const { request_id, from_cache, url } = await outcomeOf(await accepted(options, own), own);
    expect([from_cache, await remove(request_id, own), await statusOf(url)]).toEqual([true, 204, 200]);
    expect(await stateOf(request_id, own)).toMatchObject(deleted);
    expect((await own.capture(text(options))).headers.get("x-cache")).toBe("HIT");
    expect(await visitsTo(name)).toBe(1);
  });

  slowTest("of a capture whose cached result was refreshed deletes the old result and not the new one", async () => {
    const own = await openClient();
    const { name, options, a, b } = await twoOfOneResult(own);
    const fresh = await outcomeOf(await accepted({ ...options, cache_refresh: true }, own), own);
    expect([await statusOf(a.url), await statusOf(fresh.url)]).toEqual([200, 200]);
    for (const { request_id } of [a, b]) expect(await remove(request_id, own)).toBe(204);
    expect([await statusOf(a.url), await statusOf(fresh.url)]).toEqual([404, 200]);
    expect((await own.capture(text(options))).headers.get("x-cache")).toBe("HIT");
    expect(await visitsTo(name)).toBe(2);
  });

  test("cancels a capture that is processing before its page answers, which is logged and not billed", async () => {
    const own = await openClient({ plan: "free" });
    const name = randomUUID();
    const id = await accepted({ url: `${site}/counted?name=${name}&shut=0`, ...small }, own);
    await expect.poll(() => visitsTo(name)).toBe(1); // Chromium waits for the page
    const response = await send("DELETE", `/api/v1/screenshot/${id}`, { by: own });
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({
      request_id: id,
      status: "processing",
      cancel_requested_at: expect.stringMatching(/Z$/),
    });
    const state = await outcomeOf(id, own);
    const error = "The capture was cancelled while it was being processed. Nothing was billed.";
    expect(state).toMatchObject({ status: "failed", error: { code: "CANCELLED", error } });
    expect(await own.logs()).toMatchObject([{ id, status: "failed" }]);
    expect(await usedOf(own)).toBe(0);
    expect((await send("DELETE", `/api/v1/screenshot/${id}`, { by: own })).status).toBe(204);
    await fetch(`${site}/opens?name=${name}`);
  });

  test("cancels the captures of a bulk request one by one", async () => {
    const own = await openClient();
    const name = randomUUID();
    const requests = [{ url: `${site}/counted?name=${name}&shut=0` }, { html: "x" }];
    const body = { options: small, requests, execute: false };
    const { data } = await (await send("POST", "/api/v1/bulk", { by: own, body })).json();
    const [slow, quick] = data.map(({ request_id }: { request_id: number }) => request_id);
    await expect.poll(() => visitsTo(name)).toBe(1);
    const dashboard = await signIn(own.accountId); // a session may, as a key does
    expect((await dashboard.request("DELETE", `/api/v1/screenshot/${slow}`)).status).toBe(202);
    expect(await outcomeOf(slow, own)).toMatchObject({ status: "failed", error: { code: "CANCELLED" } });
    expect(await outcomeOf(quick, own)).toMatchObject({ status: "success" });
    await fetch(`${site}/opens?name=${name}`);
  });
});
