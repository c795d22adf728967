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
import {
  acquireLease,
  completeLease,
  LEASE_MS,
  type Lease,
  readLeaseState,
  releaseLease,
} from "../../lib/service/captures/lease-store.ts";
import { type Client, openClient } from "../support/client.ts";
import { recordPastCaptures } from "../support/past-captures.ts";
import { sampled } from "../support/slow-run.ts";

const { site, baseUrl, activityTable } = inject("service");
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
  test("is rendered once, and then served with the same bytes", async () => {
    const { options, visits } = aPage();
    const first = await client.capture(options);
    const second = await client.capture(options);
    expect([first, second].map(cacheOf)).toEqual(["MISS", "HIT"]);
    expect((await bytesOf(first)).equals(await bytesOf(second))).toBe(true);
    expect(await visits()).toBe(1);
    const same = ["content-type", "content-length", "content-disposition", "etag", "x-final-url"];
    for (const name of same) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  });

  test("served from the cache is logged as cached, and costs nothing", async () => {
    const own = await openClient();
    const { options } = aPage();
    for (let time = 0; time < 3; time++) await own.capture(options);
    const logs = await own.logs();
    expect(logs.map(({ cached, status }) => [cached, status])).toEqual([
      [true, "success"],
      [true, "success"],
      [false, "success"],
    ]);
    expect(new Set(logs.map(({ file_size_bytes }) => file_size_bytes)).size).toBe(1);
    expect(await usedOf(own)).toMatchObject([{ used: 1 }]);
  });

  test("is found for any kind of delivery", async () => {
    const { options, visits } = aPage();
    const facts = { metadata_page_title: "true", metadata_image_size: "true" };
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
  });

  test("has links that live as long as it does", async () => {
    const { options } = aPage();
    const seven = { ...options, cache_ttl: String((7 * DAY_MS) / 1000), response_type: "json" };
    const before = Date.now();
    const [first, second] = [await client.capture(seven), await client.capture(seven)];
    const [taken, found] = [await first.json(), await second.json()];
    expect([taken.from_cache, found.from_cache]).toEqual([false, true]);
    expect(found.expires_at).toBe(taken.expires_at);
    expect(Date.parse(found.expires_at)).toBeGreaterThan(before + 7 * DAY_MS);
  });

  test("has the requested file name under its link", async () => {
    const { options, visits } = aPage();
    const ask = async (attachment_name: string) => {
      const { url } = await (await client.capture({ ...options, attachment_name, response_type: "json" })).json();
      return (await fetch(url)).headers.get("content-disposition");
    };
    expect([await ask("a.png"), await ask("b.png"), await ask("a.png")]).toEqual(
      ["a", "b", "a"].map((name) => `attachment; filename="${name}.png"`),
    );
    expect(await visits()).toBe(2);
  });

  test("has one entry for query, JSON and form, in any spelling", async () => {
    const { options, visits } = aPage();
    await client.capture({ ...options, dark_mode: "1", accept_language: "de-ch" });
    const post = (type: string, body: string) => {
      const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": type };
      return fetch(`${baseUrl}/api/v1/screenshot`, { method: "POST", headers, body });
    };
    const sent = { locale: "de-CH", dark_mode: true, ...options, viewport_width: 200, timeout: 9 };
    const json = await post("application/json", JSON.stringify(sent));
    const form = await post("application/x-www-form-urlencoded", String(new URLSearchParams({ ...sent } as never)));
    expect([cacheOf(json), cacheOf(form), await visits()]).toEqual(["HIT", "HIT", 1]);
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
  test("when the cache is not used", async () => {
    const { options, visits } = aPage();
    const { cache_ttl: _, ...uncached } = options;
    const answers = [await client.capture(options), await client.capture(uncached), await client.capture(uncached)];
    expect([answers.map(cacheOf), await visits()]).toEqual([["MISS", "BYPASS", "BYPASS"], 3]);
  });

  test("when cache_refresh is set, and then the new one is found", async () => {
    const { options, visits } = aPage();
    const text = { ...options, format: "text", viewport_width: "300" };
    const answers = [
      await client.capture(text),
      await client.capture({ ...text, cache_refresh: "true" }),
      await client.capture(text),
    ];
    expect(answers.map(cacheOf)).toEqual(["MISS", "MISS", "HIT"]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["Visit 1", "Visit 2", "Visit 2"]);
    expect(await visits()).toBe(2);
  });

  test("once its cache_ttl has ended", async () => {
    const { options, visits } = aPage();
    await client.capture(options);
    await change(placesOf(options, client).entry, { cached_until: Date.now() });
    expect([cacheOf(await client.capture(options)), await visits()]).toEqual(["MISS", 2]);
    expect([cacheOf(await client.capture(options)), await visits()]).toEqual(["HIT", 2]);
  });

  test("when its cached bytes are deleted", async () => {
    const { options, visits } = aPage();
    const lose = async () => {
      const { entry } = placesOf(options, client);
      const { Item } = await dynamodb().send(new GetCommand(entry));
      const stored = { ...JSON.parse(Item?.["capture"].inline), key: `1-day/${randomUUID()}.png` };
      await change(entry, { capture: { inline: JSON.stringify(stored) } });
    };
    await client.capture(options);
    for (const response_type of ["by_format", "json"]) {
      await lose();
      expect(cacheOf(await client.capture({ ...options, response_type }))).toBe("MISS");
    }
    expect([cacheOf(await client.capture(options)), await visits()]).toEqual(["HIT", 3]);
  });

  test("with another option or another cache_key, and by another account", async () => {
    const { options, visits } = aPage();
    const stranger = await openClient();
    await client.capture(options);
    const others = await Promise.all([
      client.capture({ ...options, full_page: "true" }),
      client.capture({ ...options, cache_key: "v2" }),
      stranger.capture(options),
    ]);
    expect([others.map(cacheOf), await visits()]).toEqual([["MISS", "MISS", "MISS"], 4]);
  });

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

describe("cache: a trial", () => {
  test("that is used up still gets cached captures, and nothing else", async () => {
    const own = await openClient({ plan: "free" });
    await recordPastCaptures(own, { count: 299 });
    const { options, visits } = aPage();
    expect(cacheOf(await own.capture(options))).toBe("MISS");
    expect(await usedOf(own)).toMatchObject([{ used: 300, remaining: 0 }, { used: 0 }]);
    expect(cacheOf(await own.capture(options))).toBe("HIT");
    const others: Record<string, string>[] = [{ cache_refresh: "true" }, { cache_key: "other" }, { cache_ttl: "0" }];
    for (const more of others) {
      expect((await own.capture({ ...options, ...more })).status).toBe(402);
    }
    expect(await visits()).toBe(1);
    expect(await usedOf(own)).toMatchObject([{ used: 300, remaining: 0 }, { used: 0 }]);
  });

  test("loses no quota by cache hits", async () => {
    const own = await openClient({ plan: "free" });
    const { options } = aPage();
    for (let time = 0; time < 3; time++) expect((await own.capture(options)).status).toBe(200);
    expect(await usedOf(own)).toMatchObject([{ used: 1, remaining: 299 }, { used: 0 }]);
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

  test("is reported in JSON as from the cache, with a valid link", async () => {
    const { options } = aPage();
    const stale = { ...options, cache_stale_ttl: "600", response_type: "json" };
    await client.capture(stale);
    await change(placesOf(options, client).entry, { cached_until: Date.now() });
    const answer = await client.capture(stale);
    const result = await answer.json();
    expect([cacheOf(answer), result.from_cache]).toEqual(["STALE", true]);
    expect((await fetch(result.url)).status).toBe(200);
  });

  test("renders once for ten concurrent requests", async () => {
    const own = await openClient();
    const { options, visits, open } = aPage({ shut: "1" });
    const stale = { ...options, cache_stale_ttl: "600" };
    await own.capture(stale);
    await change(placesOf(options, own).entry, { cached_until: Date.now() });
    const answers = await Promise.all(Array.from({ length: 10 }, () => own.capture(stale)));
    expect(answers.map(cacheOf)).toEqual(Array(10).fill("STALE"));
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

  test("applies neither to requests without the option nor to asynchronous captures", async () => {
    const { options, visits } = aPage();
    const stale = { ...options, cache_stale_ttl: "600" };
    const { entry } = placesOf(options, client);
    const outdate = () => change(entry, { cached_until: Date.now() });
    await client.capture(stale);
    await outdate();
    expect(cacheOf(await client.capture(options))).toBe("MISS");
    await client.capture({ ...stale, cache_refresh: "true" });
    await outdate();
    const { status_url } = await (await client.capture({ ...stale, async: "true" })).json();
    const state = async () => (await client.get(new URL(status_url).pathname)).json();
    await expect.poll(state, lasting).toMatchObject({ status: "success", from_cache: false });
    expect(await visits()).toBe(4);
  }, 60_000);
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

  test("each one that refreshes the cache renders", async () => {
    const { options, visits } = aPage({ after: "300" });
    const fresh = { ...options, cache_refresh: "true" };
    const answers = await Promise.all([1, 2, 3].map(() => client.capture(fresh)));
    expect([answers.map(cacheOf), await visits()]).toEqual([["MISS", "MISS", "MISS"], 3]);
  });

  test("another takes over when the first one fails with an internal error", async () => {
    const { options, visits } = aPage();
    const { flight } = placesOf(options, client);
    await acquireLease(flight, { now: Date.now() });
    const waiting = client.capture(options);
    await releaseLease(flight);
    expect([cacheOf(await waiting), await visits()]).toEqual(["MISS", 1]);
  });

  test("another takes over when the first one dies", async () => {
    const { options, visits } = aPage();
    const { flight } = placesOf(options, client);
    await acquireLease(flight, { now: Date.now() - LEASE_MS + 1_000 });
    expect([cacheOf(await client.capture(options)), await visits()]).toEqual(["MISS", 1]);
    expect(await readLeaseState(flight)).toBeUndefined();
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

  test("none that only waits is rejected for lack of quota", async () => {
    const own = await openClient({ plan: "free" });
    await recordPastCaptures(own, { count: 299 });
    const { options, visits } = aPage();
    await own.capture(options);
    const { entry, flight } = placesOf(options, own);
    await change(entry, { cached_until: Date.now() });
    await acquireLease(flight, { now: Date.now() });
    const waiting = own.capture(options);
    await change(entry, { cached_until: Date.now() + DAY_MS });
    await releaseLease(flight);
    expect([cacheOf(await waiting), await visits()]).toEqual(["HIT", 1]);
  });

  test("a later one is not affected by an earlier failure", async () => {
    const { options, visits } = aPage();
    const { flight } = placesOf(options, client);
    await acquireLease(flight, { now: Date.now() });
    await completeLease(flight, { outcome: "no matter", expiresAt: Date.now() });
    expect([cacheOf(await client.capture(options)), await visits()]).toEqual(["MISS", 1]);
  });
});

describe("cache: If-None-Match", () => {
  const ask = (options: Record<string, string>, tag: string) =>
    fetch(`${baseUrl}/api/v1/screenshot?${new URLSearchParams(options)}`, {
      headers: { Authorization: `Bearer ${client.key}`, "If-None-Match": tag },
    });

  sampled(test, 2).each([
    ["cached", "600", "HIT"],
    ["not cached", "0", "BYPASS"],
  ])("with a capture that is %s gets 304 without a body", async (_, cache_ttl, cache) => {
    const options = { ...aPage().options, url: `${site}/box`, cache_key: "etag", cache_ttl };
    if (cache_ttl === "0") Reflect.deleteProperty(options, "cache_key");
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

test("cache: CORS allows the headers of conditional requests", async () => {
  const preflight = await fetch(`${baseUrl}/api/v1/screenshot`, { method: "OPTIONS" });
  expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(", ")).toEqual(
    expect.arrayContaining(["if-none-match", "idempotency-key"]),
  );
});
