// The typed client against the running service: every method. Pages are rendered by the fake renderer.
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  ScreenCapture,
  TargetNameNotResolvedError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from "../../clients/typescript/src/index.ts";
import { decode } from "../fixtures/png.ts";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, openClient } from "../support/client.ts";
import { failingFetch } from "../support/failing-fetch.ts";

const { baseUrl, site, receiver } = inject("service");
const page = { url: `${site}/box`, viewport_width: 200, viewport_height: 100 };

let account: Client;
let client: ScreenCapture;
beforeAll(async () => {
  account = await openClient();
  const { key, keyId, signingSecret } = account;
  client = new ScreenCapture({ key, keyId, signingSecret, baseUrl: `${baseUrl}/` });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("client: capture", () => {
  test("returns the bytes, the text of a document, and what the headers say", async () => {
    const capture = await client.capture({ ...page, cache: true });
    const { width, height } = await decode(Buffer.from(capture.bytes));
    expect([width, height]).toEqual([200, 100]);
    expect(capture).toMatchObject({ mimeType: "image/png", fromCache: false, finalUrl: `${site}/box` });
    expect(capture.requestId).toBeGreaterThan(1);
    expect((await client.capture({ ...page, cache: true })).fromCache).toBe(true);
    const { text } = await client.capture({ html: "<h1>Grüße</h1>", format: "text" });
    expect(text()).toBe("Grüße");
  });

  test("store returns the link of the stored result", async () => {
    const { url, metadata } = await client.store({ ...page, metadata_page_title: true });
    expect(metadata).toHaveProperty("page_title");
    expect((await fetch(url)).headers.get("content-type")).toBe("image/png");
  });
});

describe("client: asynchronous captures", () => {
  test("are queued, waited for, and deleted", async () => {
    const accepted = await client.enqueue({ ...page, external_identifier: "order-7" });
    const finished = await client.wait(accepted);
    expect(finished).toMatchObject({ request_id: accepted.request_id, status: "success", mime_type: "image/png" });
    await client.deleteResult(accepted.request_id);
    expect(await client.get(accepted.request_id)).toMatchObject({ url: null, unavailable_reason: "deleted" });
  });

  test("are cancelled, and say how they ended", async () => {
    const running = await client.enqueue({ ...page, delay: 30 });
    expect(await client.cancel(running)).toMatchObject({ status: "failed", error: { code: "CANCELLED" } });
    const finished = await client.wait(await client.enqueue(page));
    expect(await client.cancel(finished)).toMatchObject({ status: "success", unavailable_reason: "deleted" });
  });

  test("that fail throw their error", async () => {
    const accepted = await client.enqueue({ url: `${site}/status/404` });
    await expect(client.wait(accepted)).rejects.toMatchObject({
      name: "TargetHttpError",
      target: { http_status_code: 404 },
    });
  });

  test("send webhooks, which the client verifies", async () => {
    const { request_id } = await client.enqueue({ ...page, webhook_url: `${receiver}/to/client` });
    await expect.poll(() => receivedAt(receiver, "client")).toHaveLength(1);
    const [{ headers = {}, body = "" } = {}] = await receivedAt(receiver, "client");
    const event = await client.verifyWebhook(headers, body);
    expect(event).toMatchObject({ type: "capture.succeeded", data: { request_id, status: "success" } });
    await expect(client.verifyWebhook(headers, `${body} `)).rejects.toThrow("signature of the webhook doesn't match");
    await expect(client.verifyWebhook({ ...headers, "webhook-timestamp": "1" }, body)).rejects.toThrow(
      "time of the webhook",
    );
    expect(await client.redeliverWebhook(request_id)).toMatchObject({ request_id });
  });

  test("are listed, also in several parts", async () => {
    const { key } = await openClient();
    const own = new ScreenCapture({ key, baseUrl });
    const first = await own.enqueue(page);
    const second = await own.enqueue({ url: `${site}/status/404` });
    await Promise.all([own.wait(first), own.wait(second).catch(() => undefined)]);
    const ids = async (filter?: Parameters<typeof own.jobs>[0]) =>
      (await collect(own.jobs(filter))).map(({ request_id }) => request_id);
    expect(await ids({ limit: 1 })).toEqual([second.request_id, first.request_id]);
    expect(await ids({ status: "failed" })).toEqual([second.request_id]);
  });

  test("bulk returns the captures in order", async () => {
    const [first, second] = await client.bulk({ options: page, requests: [{}, { format: "pdf" }] });
    expect([first, second]).toMatchObject([{ mime_type: "image/png" }, { mime_type: "application/pdf" }]);
  });
});

describe("client: signed links", () => {
  test("show the capture to everyone", async () => {
    const link = await client.link({
      ...page,
      hide_selectors: ["#a b", "#ä"],
      headers: { "X-A": "1" },
      cookies: [{ name: "a", value: "1" }],
    });
    expect(link).not.toContain(account.key);
    const response = await fetch(link);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  });
});

test("client: captures lists every capture once, also across pages", async () => {
  const all = await collect(client.captures());
  const paged = await collect(client.captures({ per_page: 2 }));
  expect(all.length).toBeGreaterThan(4);
  expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

test("client: usage lists days, also more than one request covers", async () => {
  expect(await collect(client.usage())).toEqual((await client.statistics()).series);
  const from = new Date(Date.now() - 99 * 86_400_000).toISOString().slice(0, 10);
  const days = (await collect(client.usage({ from }))).map(({ date }) => date);
  expect([days.length, new Set(days).size, days.at(-1)]).toEqual([100, 100, from]);
});

test("client: searches and exports captures, and has the details of one", async () => {
  const { key } = await openClient();
  const own = new ScreenCapture({ key, baseUrl });
  const { requestId } = await own.capture({ ...page, format: "webp" });
  await own.capture(page);
  expect((await collect(own.search({ format: "webp", limit: 1 }))).map(({ id }) => id)).toEqual([requestId]);
  expect(await own.details(requestId)).toMatchObject({ id: requestId, phases: { capture: expect.any(Number) } });
  expect((await own.exportCaptures()).trim().split("\n")).toHaveLength(3);
  const exported = await own.waitForExport(await own.startExport({ output: "ndjson", format: "webp" }));
  expect(exported).toMatchObject({ status: "ready", progress: 100, lines: 1 });
  const [line = ""] = (await own.exportCaptures({ output: "ndjson", format: "webp" })).split("\n");
  expect(JSON.parse(line)).toMatchObject({ id: requestId });
});

test("client: reads the account, its settings, and its invoices", async () => {
  expect(await client.settings()).toMatchObject({ id: account.accountId, label: "Test" });
  expect(await client.account()).toMatchObject({ id: account.accountId, plan: "max" });
  const [invoice, ...more] = await client.invoices();
  expect(more).toEqual([]);
  const pdf = await client.invoicePdf(invoice ?? { period: { start: "", end: "" } });
  expect(new TextDecoder().decode(pdf.subarray(0, 5))).toBe("%PDF-");
});

test("client: sends a test webhook", async () => {
  const test = await client.testWebhook({ webhook_url: `${receiver}/to/client-test` });
  expect(test).toMatchObject({ is_delivered: true, delivery: { http_status_code: expect.any(Number) } });
  expect(await client.verifyWebhook(test.request.headers, test.request.body)).toMatchObject({
    type: expect.any(String),
  });
});

test("client: creates, changes, rotates, and revokes keys", async () => {
  const { id, key } = await client.keys.create({ label: "Website", scopes: ["capture"] });
  expect(await client.keys.change(id, { label: "Shop" })).toMatchObject({ label: "Shop" });
  expect((await client.keys.rotate(id)).key).not.toBe(key);
  expect(await client.keys.revoke(id)).toMatchObject({ id, revoked_at: expect.any(String) });
  expect(await client.keys.get(id)).toMatchObject({ label: "Shop" });
  expect((await client.keys.list()).map((each) => each.id)).toContain(id);
});

describe("client: errors", () => {
  test("are instances of the class of their code", async () => {
    const wrong = client.capture({ ...page, viewport_width: 1 });
    await expect(wrong).rejects.toThrow(ValidationError);
    await expect(wrong).rejects.toMatchObject({
      status: 422,
      details: { viewport_width: [expect.any(String)] },
      docs: `${baseUrl}/docs/errors#VALIDATION_ERROR`,
    });
    await expect(client.capture({ url: "http://missing.invalid" })).rejects.toThrow(TargetNameNotResolvedError);
    await expect(new ScreenCapture({ key: "cap_x", baseUrl }).account()).rejects.toThrow(UnauthorizedError);
  });
});

describe("client: retries", () => {
  test("a lost response, with an Idempotency-Key, so that the page is captured once", async () => {
    const { key, logs } = await openClient();
    const lossy = new ScreenCapture({ key, baseUrl, fetch: failingFetch("after", 1) });
    expect((await lossy.capture(page)).headers.get("idempotent-replayed")).toBe("true");
    expect(await logs()).toHaveLength(1);
  });
});

describe("client: cancels", () => {
  test("when its time is up", async () => {
    const slow = client.capture({ ...page, delay: 5 }, { timeoutMs: 50 });
    await expect(slow).rejects.toThrow(TimeoutError);
    const waiting = client.wait(await client.enqueue({ ...page, delay: 3 }), { timeoutMs: 100 });
    await expect(waiting).rejects.toThrow(TimeoutError);
  });
});
