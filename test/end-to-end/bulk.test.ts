// Bulk requests: all results in one response, or the states of asynchronous captures.
import { describe, expect, inject, test, vi } from "vitest";
import { type Client, openClient, readJson, sendWith } from "../support/client.ts";
import { recordPastCaptures } from "../support/past-captures.ts";

const { baseUrl, site } = inject("service");

const small = { viewport_width: 100, viewport_height: 100 };
const box = { url: `${site}/box`, ...small };

const bulk = (client: Pick<Client, "key">, body: object) =>
  readJson(sendWith(client, "POST", "/api/v1/bulk", { body }));

const statesOf = ({ json }: Awaited<ReturnType<typeof bulk>>) =>
  json.data.map(({ status, error }: { status: string; error?: { code: string } }) => [status, error?.code]);

test("bulk: responds with all captures in their order, each with its result or error", async () => {
  const client = await openClient();
  const answer = await bulk(client, {
    options: { ...small, format: "jpeg" },
    requests: [
      { url: `${site}/box`, external_identifier: "first" },
      { url: `${site}/not-found` },
      { markdown: "# Third", format: "pdf" },
    ],
  });
  expect(answer.status).toBe(200);
  expect(statesOf(answer)).toEqual([
    ["success", undefined],
    ["failed", "TARGET_HTTP_ERROR"],
    ["success", undefined],
  ]);
  const [first, , third] = answer.json.data;
  expect([first.external_identifier, first.mime_type, third.mime_type]).toEqual([
    "first",
    "image/jpeg",
    "application/pdf",
  ]);
  const file = await fetch(first.url);
  expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, first.file_size_bytes]);
  const { pathname } = new URL(first.status_url);
  expect(await (await client.get(pathname)).json()).toMatchObject({ request_id: first.request_id, status: "success" });
  expect((await client.logs()).map(({ status }) => status).sort()).toEqual(["failed", "success", "success"]);
});

test("bulk: with execute async, responds with all captures queued, and processes them", async () => {
  const client = await openClient();
  const answer = await bulk(client, { options: box, requests: [{}, { url: `${site}/bands` }], execute: false });
  expect(answer.status).toBe(202);
  const ids = answer.json.data.map(({ request_id }: { request_id: number }) => request_id);
  expect(answer.json.data).toMatchObject(
    ids.map((id: number) => ({ request_id: id, status_url: `${baseUrl}/api/v1/screenshot/${id}` })),
  );
  await vi.waitFor(
    async () => {
      const states = ids.map(
        async (id: number) => (await (await client.get(`/api/v1/screenshot/${id}`)).json()).status,
      );
      expect(await Promise.all(states)).toEqual(["success", "success"]);
    },
    { timeout: 20_000, interval: 500 },
  );
});

describe("bulk: when one capture is invalid", () => {
  test("none is processed", async () => {
    const [field, options] = ["requests.1.webhook_url", { webhook_url: "http://example.com/" }];
    const client = await openClient();
    const { status, json } = await bulk(client, { options: box, requests: [{}, options] });
    expect([status, json.code, Object.keys(json.details)]).toEqual([422, "VALIDATION_ERROR", [field]]);
    expect(await client.logs()).toEqual([]);
  });
});

describe("bulk: a rejected capture", () => {
  test("for lack of quota has its error in its place", async () => {
    const client = await openClient({ plan: "free" });
    await recordPastCaptures(client, { count: 299 });
    const answer = await bulk(client, { options: box, requests: [{}, {}] });
    expect(statesOf(answer)).toEqual([
      ["success", undefined],
      ["refused", "QUOTA_EXCEEDED"],
    ]);
    expect(answer.json.data[1].error.details).toMatchObject({ limit: 300, used: 300 });
  });

  test("beyond the concurrency or rate limit has its error in its place", async () => {
    const client = await openClient({ plan: "free" });
    // Without scripts a delay takes real time.
    const requests = Array.from({ length: 12 }, () => ({ ...box, delay: 4, javascript: false }));
    const answer = await bulk(client, { requests, execute: false });
    const refusals = answer.json.data.map(({ error }: { error?: { error: string } }) => error?.error ?? "");
    expect(refusals.map((text: string) => /asynchronous captures|in 60 seconds|^$/.exec(text)?.[0])).toEqual([
      ...Array(5).fill(""),
      ...Array(5).fill("asynchronous captures"), // five is what the plan allows at once
      ...Array(2).fill("in 60 seconds"), // ten is what it allows in a minute
    ]);
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
  });
});

test("bulk: requires a key", async () => {
  expect(await bulk({ key: "wrong" }, { requests: [box] })).toMatchObject({ status: 401 });
});
