// The cache through the API: hits, stale-while-revalidate, single-flight and conditional requests.

import { randomUUID } from "node:crypto";
import { GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import {
  cacheKey,
  cachePartition,
  jobsPartition,
  leaseKey,
  revalidationKey,
} from "../../lib/service/aws/table-keys.ts";
import { cachePolicy } from "../../lib/service/captures/cache-key.ts";
import { acquireLease, type Lease, readLeaseState } from "../../lib/service/captures/lease-store.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { recordPastCaptures } from "../support/past-captures.ts";
import { sampled } from "../support/slow-run.ts";

const { site, activityTable } = inject("service");
const DAY_MS = 24 * 60 * 60 * 1000;
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const cacheOf = ({ headers }: Response) => headers.get("x-cache");
const usedOf = async (by: Client) => Object.values((await (await by.get("/api/v1/account")).json()).quotas);

/** A page that counts its visits, and options that cache it. */
function aPage(query: Readonly<Record<string, string>> = {}) {
  const name = randomUUID();
  const url = `${site}/counted?${new URLSearchParams({ name, ...query })}`;
  return {
    options: { url, viewport_width: "200", viewport_height: "100", cache_ttl: "600" },
    /** Lets those in who come for the second time, where it is shut. */
    open: () => fetch(`${site}/opens?name=${name}`),
    /** How often it was rendered. */
    visits: async (): Promise<number> => (await fetch(`${site}/visits?name=${name}`)).json(),
  };
}

/** The address of a capture in the cache, as if this test were a function that takes it. */
function placesOf(options: Readonly<Record<string, string>>, { accountId }: Client) {
  const hash = cachePolicy(parseCaptureOptions(options), accountId)?.key ?? "";
  const flight: Lease = { table: activityTable, key: leaseKey(accountId, hash), holder: randomUUID() };
  return { entry: { TableName: activityTable, Key: cacheKey(accountId, hash) }, flight };
}

/** Changes what is cached of a capture. */
async function change({ TableName, Key }: ReturnType<typeof placesOf>["entry"], more: object) {
  const { Item } = await dynamodb().send(new GetCommand({ TableName, Key }));
  expect(Item).toBeDefined();
  await dynamodb().send(new PutCommand({ TableName, Item: { ...Item, ...more } }));
}

describe("cache: a capture", () => {
  test("is rendered and billed once, and then served with the same bytes, which is logged", async () => {
    const own = await openClient();
    const { options, visits } = aPage();
    const first = await own.capture(options);
    const second = await own.capture(options);
    expect([first, second].map(cacheOf)).toEqual(["MISS", "HIT"]);
    expect((await bytesOf(first)).equals(await bytesOf(second))).toBe(true);
    expect(await visits()).toBe(1);
    const same = ["content-type", "content-length", "content-disposition", "etag", "x-final-url"];
    for (const name of same) expect(second.headers.get(name)).toBe(first.headers.get(name));
    const logs = await own.logs();
    expect(logs.map(({ id, cached, status }) => [String(id), cached, status])).toEqual([
      [second.headers.get("x-request-id"), true, "success"],
      [first.headers.get("x-request-id"), false, "success"],
    ]);
    expect(logs[0]?.["file_size_bytes"]).toBe(logs[1]?.["file_size_bytes"]);
    expect(await usedOf(own)).toMatchObject([{ used: 1 }]);
  });

  test("is found for any kind of delivery, with links that live as long as it does", async () => {
    const { options, visits } = aPage();
    const facts = { metadata_page_title: "true", metadata_image_size: "true", cache_ttl: String((7 * DAY_MS) / 1000) };
    const before = Date.now();
    const bytes = await bytesOf(await client.capture({ ...options, ...facts }));
    const ask = (more: Record<string, string>) => client.capture({ ...options, ...facts, ...more });
    const json = await ask({ response_type: "json" });
    const base64 = await ask({ response_type: "base64" });
    const empty = await ask({ response_type: "empty" });
    const named = await ask({ attachment_name: "page.png" });
    for (const response of [json, base64, empty, named]) {
      expect([cacheOf(response), response.headers.get("x-page-title")]).toEqual(["HIT", "Fixture"]);
      expect(response.headers.get("x-image-width")).toBe("200");
    }
    expect(await visits()).toBe(1);
    expect(Buffer.from(await base64.text(), "base64").equals(bytes)).toBe(true);
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
    expect(named.headers.get("content-disposition")).toBe('attachment; filename="page.png"');
    const result = await json.json();
    expect(result).toMatchObject({
      from_cache: true,
      file_size_bytes: bytes.length,
      metadata: { page_title: "Fixture", image_size: { width: 200, height: 100 } },
    });
    expect((await bytesOf(await fetch(result.url))).equals(bytes)).toBe(true);
    expect(Date.parse(result.expires_at)).toBeGreaterThan(before + 7 * DAY_MS);
    expect((await (await ask({ response_type: "json" })).json()).expires_at).toBe(result.expires_at);
  });

  test("of HTML can be cached", async () => {
    const options = { html: `<h1>${randomUUID()}</h1>`, format: "pdf", cache: "true" };
    const [first, second] = [await client.capture(options), await client.capture(options)];
    expect([cacheOf(first), cacheOf(second)]).toEqual(["MISS", "HIT"]);
    expect((await bytesOf(first)).equals(await bytesOf(second))).toBe(true);
    expect(second.headers.has("x-final-url")).toBe(false);
  });
});

describe("cache: a capture is rendered again", () => {
  test("after one that failed", async () => {
    const own = await openClient();
    const { options, visits } = aPage({ status: "404" });
    const answers = [await own.capture(options), await own.capture(options)];
    expect([answers.map(({ status }) => status), await visits()]).toEqual([[422, 422], 2]);
    expect((await own.logs()).map(({ status, cached }) => [status, cached])).toEqual([
      ["failed", false],
      ["failed", false],
    ]);
  });
});

describe("cache: stale-while-revalidate", () => {
  /** The captures that an account has had taken in the background. */
  const jobsOf = async ({ accountId }: Client) => {
    const command = new QueryCommand({
      TableName: activityTable,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": jobsPartition(accountId) },
    });
    return (await dynamodb().send(command)).Items ?? [];
  };
  const lasting = { timeout: 30_000, interval: 400 };

  test("responds at once while a new capture is rendered, which is logged and billed", async () => {
    const own = await openClient();
    const { options, visits } = aPage();
    const stale = { ...options, format: "text", cache_stale_ttl: "600" };
    await own.capture({ ...stale, cache_ttl: "1" });
    const answers: Response[] = [];
    const next = async () => {
      const answer = await own.capture(stale);
      answers.unshift(answer);
      return cacheOf(answer);
    };
    await expect.poll(next, lasting).toBe("STALE");
    expect(await answers[0]?.text()).toBe("Visit 1");
    await expect.poll(next, lasting).toBe("HIT");
    expect([await answers[0]?.text(), await visits()]).toEqual(["Visit 2", 2]);
    const { data: logs } = await (await own.get("/api/v1/usage", { per_page: "100" })).json();
    expect(logs.filter(({ cached }: { cached: boolean }) => !cached)).toMatchObject([
      { status: "success", options: { cache_refresh: true, async: true } },
      { status: "success", options: { cache_ttl: "1" } },
    ]);
    expect(await usedOf(own)).toMatchObject([{ used: 2 }]);
  }, 60_000);

  test("renders once for ten concurrent requests", async () => {
    const own = await openClient();
    const { options, visits, open } = aPage({ shut: "1" });
    const stale = { ...options, cache_stale_ttl: "600" };
    await own.capture(stale);
    await change(placesOf(options, own).entry, { cached_until: Date.now() });
    const linked = { ...stale, response_type: "json" };
    const answers = await Promise.all([linked, ...Array(9).fill(stale)].map((each) => own.capture(each)));
    expect(answers.map(cacheOf)).toEqual(Array(10).fill("STALE"));
    const result = await answers[0]?.json();
    expect([result.from_cache, (await fetch(result.url)).status]).toEqual([true, 200]);
    await open();
    await expect.poll(async () => cacheOf(await own.capture(stale)), lasting).toBe("HIT");
    expect([(await jobsOf(own)).length, await visits()]).toEqual([1, 2]);
    expect(await usedOf(own)).toMatchObject([{ used: 2 }]);
  }, 60_000);

  test("serves an account whose trial is used up, without a new capture", async () => {
    const own = await openClient({ plan: "free" });
    await recordPastCaptures(own, { count: 299 });
    const { options, visits } = aPage();
    const stale = { ...options, cache_stale_ttl: "600" };
    await own.capture(stale);
    const { entry } = placesOf(options, own);
    await change(entry, { cached_until: Date.now() });
    for (let time = 0; time < 3; time++) expect(cacheOf(await own.capture(stale))).toBe("STALE");
    const { Item } = await dynamodb().send(new GetCommand(entry));
    const refreshing = {
      table: activityTable,
      key: revalidationKey(own.accountId, entry.Key.sk, Item?.["cached_until"]),
    };
    await expect.poll(() => readLeaseState(refreshing), lasting).toBeDefined(); // it has been tried
    expect(await usedOf(own)).toMatchObject([{ used: 300, remaining: 0 }, { used: 0 }]);
    expect([await jobsOf(own), await visits()]).toEqual([[], 1]);
  });
});

describe("single-flight: of concurrent identical requests", () => {
  test("one renders, and the others get its result", async () => {
    const own = await openClient();
    const { options, visits } = aPage({ after: "500" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => own.capture(options)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(answers.map(cacheOf).sort()).toEqual([...Array(49).fill("HIT"), "MISS"]);
    const tags = new Set(answers.map(({ headers }) => headers.get("etag")));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    expect([await visits(), tags.size]).toEqual([1, 1]);
    expect(await (await own.get("/api/v1/usage/stats")).json()).toMatchObject({ total_success: 50, total_failed: 0 });
    expect(await usedOf(own)).toMatchObject([{ used: 1 }]);
  }, 60_000);

  test("each gets the error and is logged as failed", async () => {
    const own = await openClient();
    const { options } = aPage({ after: "500", status: "404" });
    const answers = await Promise.all(Array.from({ length: 4 }, () => own.capture(options)));
    const errors = await Promise.all(answers.map((answer) => answer.json()));
    expect(errors).toEqual(
      errors.map(() => ({ ...errors[0], request_id: expect.any(Number), code: "TARGET_HTTP_ERROR" })),
    );
    expect(errors[0].target).toMatchObject({ http_status_code: 404 });
    const logs = await own.logs();
    expect(logs.map(({ id }) => id).sort()).toEqual(errors.map(({ request_id }) => request_id).sort());
    expect(logs.map(({ status, http_status_code }) => [status, http_status_code])).toEqual(
      Array(4).fill(["failed", 404]),
    );
    expect(await usedOf(own)).toMatchObject([{ used: 0 }]);
  });

  test("none waits longer than its own timeout, and one that timed out is logged", async () => {
    const own = await openClient({ plan: "free" });
    const { options, visits } = aPage();
    await acquireLease(placesOf(options, own).flight, { now: Date.now() + 60_000 });
    const late = await own.capture({ ...options, timeout: "1" });
    expect([late.status, await late.json()]).toMatchObject([504, { code: "CAPTURE_TIMEOUT", retryable: true }]);
    expect([await visits(), await own.logs()]).toMatchObject([0, [{ status: "failed", cached: false }]]);
    expect(await usedOf(own)).toMatchObject([{ used: 0, remaining: 300 }, { used: 0 }]);
  });
});

describe("cache: If-None-Match", () => {
  const ask = (options: Record<string, string>, tag: string) =>
    sendWith(client, "GET", `/api/v1/screenshot?${new URLSearchParams(options)}`, {
      headers: { "If-None-Match": tag },
    });

  sampled(test, 2).each([
    ["cached", { cache_ttl: "600", cache_key: "etag" }, "HIT"],
    ["not cached", { cache_ttl: "0" }, "BYPASS"],
  ])("with a capture that is %s gets 304 without a body", async (_, facts, cache) => {
    const options = { ...aPage().options, url: `${site}/box`, ...facts };
    const tag = (await client.capture(options)).headers.get("etag") ?? "";
    const known = await ask(options, `"other", W/${tag}`);
    expect([known.status, await known.text(), known.headers.get("etag"), cacheOf(known)]).toEqual([
      304,
      "",
      tag,
      cache,
    ]);
    expect(known.headers.has("content-length")).toBe(false);
    expect(known.headers.get("x-request-id")).toMatch(/^\d+$/);
    const other = await ask(options, '"other"');
    expect([other.status, other.headers.get("etag")]).toEqual([200, tag]);
  });
});

test("cache: stores nothing secret", async () => {
  const own = await openClient();
  const { options } = aPage();
  await own.capture({
    ...options,
    headers: "X-Key: hush-header",
    cookies: "a=hush-cookie",
    authorization: "Bearer hush-token",
  });
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: activityTable,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": cachePartition(own.accountId) },
    }),
  );
  expect(Items).toHaveLength(1);
  expect(JSON.stringify(Items)).not.toContain("hush");
});
