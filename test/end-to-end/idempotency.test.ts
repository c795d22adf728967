// `Idempotency-Key` through the API: a repeated request is carried out once and gets the same response.
import { randomUUID } from "node:crypto";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { responseKey, responsesPartition } from "../../lib/service/aws/table-keys.ts";
import { acquireLease, LEASE_MS, type Lease, releaseLease } from "../../lib/service/captures/lease-store.ts";
import { findJob } from "../../lib/service/jobs/job-store.ts";
import { hashJson } from "../../lib/service/platform/hash-json.ts";
import { type Client, openClient } from "../support/client.ts";
import { recordPastCaptures } from "../support/past-captures.ts";
import { sampled } from "../support/slow-run.ts";

const { site, receiver, baseUrl, activityTable } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Body = Readonly<Record<string, unknown>>;

interface Sending {
  readonly by?: Client;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Sends a capture with an idempotency key. */
const send = (key: string, body: Body, { by = client, query = {}, headers = {}, signal }: Sending = {}) =>
  fetch(`${baseUrl}/api/v1/screenshot?${new URLSearchParams(query)}`, {
    method: "POST",
    ...(signal && { signal }),
    headers: {
      Authorization: `Bearer ${by.key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      ...headers,
    },
    body: JSON.stringify(body),
  });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const isRepeated = ({ headers }: Response) => headers.get("idempotent-replayed") === "true";
const idOf = ({ headers }: Response) => headers.get("x-request-id");

/** A page that counts its visits, and the options to capture it. */
function aPage(query: Readonly<Record<string, string>> = {}) {
  const name = randomUUID();
  const url = `${site}/counted?${new URLSearchParams({ name, ...query })}`;
  return {
    body: { url, viewport_width: 200, viewport_height: 100 },
    /** How often it was rendered. */
    visits: async (): Promise<number> => (await fetch(`${site}/visits?name=${name}`)).json(),
  };
}

/** The place of a key, as if this test were the function that has the request. */
function leaseOf(key: string, { accountId } = client): Lease {
  return { table: activityTable, key: responseKey(accountId, hashJson(key)), holder: randomUUID() };
}

/** What the service knows a request again by. */
const tagOf = (body: Body) => hashJson(["POST", "/api/v1/screenshot", body]);

describe("idempotency: a repeated request", () => {
  test("gets the same bytes and headers, and is not rendered, logged or billed", async () => {
    const own = await openClient();
    const key = randomUUID();
    const { body, visits } = aPage();
    const first = await send(key, { ...body, attachment_name: "page.png", metadata_page_title: true }, { by: own });
    const again = await send(key, { ...body, attachment_name: "page.png", metadata_page_title: true }, { by: own });
    expect([isRepeated(first), isRepeated(again)]).toEqual([false, true]);
    expect((await bytesOf(first)).equals(await bytesOf(again))).toBe(true);
    const ofTheMoment =
      /^(idempotent-replayed|x-response-time|server-timing|date|connection|keep-alive|x-amzn-.*|x-ratelimit-.*)$/;
    const telling = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !ofTheMoment.test(name)));
    expect(telling(again)).toEqual(telling(first));
    expect(telling(again)).toMatchObject({
      "content-type": "image/png",
      "x-page-title": "Fixture",
      "x-cache": "BYPASS",
    });
    expect(await visits()).toBe(1);
    expect((await own.logs()).map(({ id }) => String(id))).toEqual([idOf(first)]);
    expect((await (await own.get("/api/v1/account")).json()).quotas.captures.used).toBe(1);
  });

  test("counts for the rate limit", async () => {
    const own = await openClient({ plan: "free" });
    const key = randomUUID();
    const { body } = aPage();
    const remaining: (string | null)[] = [];
    for (let time = 0; time < 3; time++) {
      remaining.push((await send(key, body, { by: own })).headers.get("x-ratelimit-remaining"));
    }
    expect(remaining).toEqual(["9", "8", "7"]);
  });

  test("gets the same JSON, including its link", async () => {
    const key = randomUUID();
    const { body } = aPage();
    const [first, again] = [
      await send(key, { ...body, response_type: "json" }),
      await send(key, { response_type: "json", ...body }),
    ];
    const result = await first.json();
    expect(await again.json()).toEqual(result);
    expect([isRepeated(again), (await fetch(result.url)).status]).toEqual([true, 200]);
  });

  test.each(["empty", "base64"])("gets the same response, %s", async (response_type) => {
    const key = randomUUID();
    const { body } = aPage();
    const [first, again] = [await send(key, { ...body, response_type }), await send(key, { ...body, response_type })];
    expect([again.status, await again.text(), isRepeated(again)]).toEqual([first.status, await first.text(), true]);
  });

  test("fails the same way when the page was at fault", async () => {
    const own = await openClient();
    const key = randomUUID();
    const { body, visits } = aPage({ status: "404" });
    const [first, again] = [await send(key, body, { by: own }), await send(key, body, { by: own })];
    expect([first.status, again.status, isRepeated(again), idOf(again)]).toEqual([422, 422, true, idOf(first)]);
    expect(await again.json()).toEqual(await first.json());
    expect([await visits(), (await own.logs()).length]).toEqual([1, 1]);
  });

  test("gets 304 when its caller has the bytes", async () => {
    const key = randomUUID();
    const { body } = aPage();
    const tag = (await send(key, body)).headers.get("etag") ?? "";
    const again = await send(key, body, { headers: { "If-None-Match": tag } });
    expect([again.status, again.headers.get("etag"), isRepeated(again), await again.text()]).toEqual([
      304,
      tag,
      true,
      "",
    ]);
    expect((await send(key, body)).status).toBe(200);
  });

  test("is answered when the trial has been used up meanwhile", async () => {
    const own = await openClient({ plan: "free" });
    await recordPastCaptures(own, { count: 299 });
    const key = randomUUID();
    const { body } = aPage();
    const [first, again] = [await send(key, body, { by: own }), await send(key, body, { by: own })];
    expect([first.status, again.status, isRepeated(again)]).toEqual([200, 200, true]);
    const refused = await send(randomUUID(), body, { by: own });
    expect(refused.status).toBe(402);
    const { screenshots } = (await (await own.get("/api/v1/account")).json()).quotas;
    expect(screenshots).toEqual({ limit: 300, used: 300, remaining: 0 });
  });

  test("is the same job when it is asynchronous", async () => {
    const own = await openClient();
    const key = randomUUID();
    const { body, visits } = aPage();
    const [first, again] = [
      await send(key, { ...body, async: true }, { by: own }),
      await send(key, { ...body, async: true }, { by: own }),
    ];
    const job = await first.json();
    expect([first.status, again.status, isRepeated(again)]).toEqual([202, 202, true]);
    expect([await again.json(), again.headers.get("location")]).toEqual([job, first.headers.get("location")]);
    const state = async () => (await (await own.get(`/api/v1/screenshot/${job.request_id}`)).json()).status;
    await expect.poll(state, { timeout: 20_000 }).toBe("success");
    expect(await visits()).toBe(1);
  });
});

describe("idempotency: a request is carried out again", () => {
  test("after a response that may differ next time", async () => {
    const key = randomUUID();
    const { body, visits } = aPage({ after: "9000" });
    const answers = [await send(key, { ...body, timeout: 1 }), await send(key, { ...body, timeout: 1 })];
    expect(answers.map((answer) => [answer.status, isRepeated(answer)])).toEqual([
      [504, false],
      [504, false],
    ]);
    expect(await visits()).toBe(2);
  });

  test("with other options, when the previous ones were invalid", async () => {
    const key = randomUUID();
    const { body } = aPage();
    expect((await send(key, { ...body, viewport_width: "wide" })).status).toBe(422);
    expect((await send(key, body)).status).toBe(200);
  });

  test("by another account, with another key, and without one", async () => {
    const key = randomUUID();
    const { body, visits } = aPage();
    const stranger = await openClient();
    const unnamed = fetch(`${baseUrl}/api/v1/screenshot`, {
      method: "POST",
      headers: { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answers = await Promise.all([
      send(key, body),
      send(randomUUID(), body),
      send(key, body, { by: stranger }),
      unnamed,
    ]);
    expect(answers.map((answer) => [answer.status, isRepeated(answer)])).toEqual(Array(4).fill([200, false]));
    expect(await visits()).toBe(4);
  });
});

describe("idempotency: a header that would be ignored is rejected", () => {
  test.each([
    ["GET", "/api/v1/screenshot?html=x"],
    ["GET", "/api/v1/screenshot/1"],
    ["DELETE", "/api/v1/screenshot/1"],
    ["GET", "/api/v1/keys"],
    ["PATCH", "/api/v1/keys/1"],
    ["GET", "/api/v1/account"],
    ["GET", "/health"],
  ])("with %s %s", async (method, path) => {
    const headers = { Authorization: `Bearer ${client.key}`, "Idempotency-Key": randomUUID() };
    const response = await fetch(`${baseUrl}${path}`, { method, headers });
    const message = `is for POST only, and would be ignored with ${method}: leave it out`;
    expect([response.status, await response.json()]).toMatchObject([
      422,
      {
        error: `The header 'Idempotency-Key' ${message}.`,
        code: "VALIDATION_ERROR",
        details: { "Idempotency-Key": [message] },
      },
    ]);
  });
});

/** Sends JSON to any route of the API, with an idempotency key. */
const post = (path: string, key: string, body: object | undefined, by: Pick<Client, "key">) =>
  fetch(`${baseUrl}/api/v1${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${by.key}`,
      "Idempotency-Key": key,
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

describe("idempotency: a repeated bulk request", () => {
  const idsOf = ({ data }: { data: { request_id: number }[] }) => data.map(({ request_id }) => request_id);

  sampled(test, 2).each([true, false])("is rendered and billed once, with execute %s", async (execute) => {
    const own = await openClient();
    const pages = [aPage(), aPage()];
    const body = { requests: pages.map((page) => page.body), execute };
    const key = randomUUID();
    const [first, second] = await Promise.all([post("/bulk", key, body, own), post("/bulk", key, body, own)]);
    const third = await post("/bulk", key, body, own);
    const answers = [first, second, third];
    expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(execute ? 200 : 202));
    expect(answers.map(isRepeated).filter((repeated) => !repeated)).toHaveLength(1);
    const ids = (await Promise.all(answers.map(async (answer) => idsOf(await answer.json())))).map(String);
    expect(new Set(ids).size).toBe(1);
    await expect.poll(async () => (await own.logs()).length, { timeout: 20_000 }).toBe(2);
    expect(await Promise.all(pages.map(({ visits }) => visits()))).toEqual([1, 1]);
    const other = await post("/bulk", key, { ...body, execute: !execute }, own);
    expect([other.status, (await other.json()).code]).toEqual([409, "CONFLICT"]);
  });

  test("is carried out again when all captures were rejected", async () => {
    const own = await openClient({ plan: "free" });
    await recordPastCaptures(own, { count: 300 });
    const body = { requests: [aPage().body], execute: false };
    const key = randomUUID();
    for (const _ of [1, 2]) {
      const answer = await post("/bulk", key, body, own);
      expect([isRepeated(answer), await answer.json()]).toMatchObject([
        false,
        { data: [{ status: "refused", error: { code: "QUOTA_EXCEEDED" } }] },
      ]);
    }
  });
});

describe("idempotency: a repeated request for an API key", () => {
  const keysOf = async (own: Client) => (await (await own.get("/api/v1/keys")).json()).data;
  const statusOfUsage = async (key: string) =>
    (await fetch(`${baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${key}` } })).status;

  test("creates one key, whose secrets are returned only to the key that created it", async () => {
    const own = await openClient();
    const body = { label: "Manager", scopes: ["keys"] };
    const key = randomUUID();
    const [first, again] = [await post("/keys", key, body, own), await post("/keys", key, body, own)];
    const made = await first.json();
    expect([first.status, again.status, isRepeated(again), await again.json()]).toEqual([201, 201, true, made]);
    expect((await keysOf(own)).map(({ label }: { label: string }) => label)).toContain("Manager");
    expect(await keysOf(own)).toHaveLength(2);
    const stranger = await post("/keys", key, body, made);
    const message =
      "This Idempotency-Key was used for another request or with another API key within 24 hours. " +
      "Use a new Idempotency-Key for this request.";
    expect([stranger.status, await stranger.json()]).toMatchObject([409, { code: "CONFLICT", error: message }]);
    expect(await keysOf(own)).toHaveLength(2);

    const { Item } = await dynamodb().send(new GetCommand({ TableName: activityTable, Key: leaseOf(key, own).key }));
    expect(JSON.parse(Item?.["outcome"])).toMatchObject({ status: 201, body: { sealed: expect.any(String) } });
    for (const secret of [made.key, made.signing_secret]) expect(JSON.stringify(Item)).not.toContain(secret);
  });

  test("creates one key when it is sent twice concurrently", async () => {
    const own = await openClient();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 4 }, () => post("/keys", key, { label: "One" }, own)));
    const made = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(made.map((each) => each.key)).size).toBe(1);
    expect(await keysOf(own)).toHaveLength(2);
  });

  test("rotates once", async () => {
    const own = await openClient();
    const { id } = await (await post("/keys", randomUUID(), { label: "Rotated" }, own)).json();
    const key = randomUUID();
    const [first, again] = [
      await post(`/keys/${id}/rotate`, key, undefined, own),
      await post(`/keys/${id}/rotate`, key, undefined, own),
    ];
    const rotated = await first.json();
    expect([again.status, isRepeated(again), await again.json()]).toEqual([200, true, rotated]);
    expect(await statusOfUsage(rotated.key)).toBe(200);
    const { Item } = await dynamodb().send(new GetCommand({ TableName: activityTable, Key: leaseOf(key, own).key }));
    for (const secret of [rotated.key, rotated.signing_secret]) expect(JSON.stringify(Item)).not.toContain(secret);
  });
});

test("billing: a capture whose client gives up is finished and billed, and the same request with its key is free", async () => {
  const own = await openClient();
  const key = randomUUID();
  const { body, visits } = aPage();
  const options = { ...body, javascript: false, delay: 1 };
  const leaving = new AbortController();
  const given = send(key, options, { by: own, signal: leaving.signal });
  await expect.poll(visits, { timeout: 20_000 }).toBe(1);
  leaving.abort();
  await expect(given).rejects.toThrow();

  const again = await send(key, options, { by: own });

  expect([again.status, isRepeated(again), await visits()]).toEqual([200, true, 1]);
  const { quotas } = await (await own.get("/api/v1/account")).json();
  expect(quotas.captures.used).toBe(1);
});

test("idempotency: a redelivery requested twice with one key is sent once", async () => {
  const own = await openClient();
  const { body } = aPage();
  const { request_id: id } = await (
    await send(randomUUID(), { ...body, async: true, webhook_url: `${receiver}/to/${randomUUID()}` }, { by: own })
  ).json();
  const job = () => findJob(activityTable, { account_id: own.accountId, id }, Date.now());
  await expect.poll(async () => (await job())?.webhook?.status, { timeout: 20_000 }).toBe("delivered");
  const key = randomUUID();
  const path = `/screenshot/${id}/webhook/redeliver`;
  const [first, again] = [await post(path, key, undefined, own), await post(path, key, undefined, own)];
  expect([first.status, again.status, isRepeated(again)]).toEqual([202, 202, true]);
  expect([await again.json(), (await job())?.webhook?.round]).toEqual([await first.json(), 1]);
});

describe("idempotency: a used key", () => {
  sampled(test, 6).each<[string, Body, Record<string, string>]>([
    ["in the body", { viewport_width: 201 }, {}],
    ["in the query", {}, { format: "jpeg" }],
    ["in the credentials of the page", { authorization: "Bearer other" }, {}],
  ])("is rejected for a request that differs %s", async (_, more, query) => {
    const key = randomUUID();
    const { body, visits } = aPage();
    expect((await send(key, body)).status).toBe(200);
    const other = await send(key, { ...body, ...more }, { query });
    expect([other.status, await other.json()]).toMatchObject([409, { code: "CONFLICT", retryable: false }]);
    expect([isRepeated(await send(key, body)), await visits()]).toEqual([true, 1]);
  });

  test("is stored like the options, not in plain text, for a day", async () => {
    const own = await openClient();
    const key = `hush-key-${randomUUID()}`;
    const before = Date.now();
    await send(key, { ...aPage().body, authorization: "Bearer hush-token", format: "text" }, { by: own });
    const item = async () =>
      (await dynamodb().send(new GetCommand({ TableName: activityTable, Key: leaseOf(key, own).key }))).Item;
    await expect.poll(async () => (await item())?.["expires_at"]).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
    expect((await item())?.["expires_at"]).toBeLessThan(Date.now() + 24 * 3_600_000 + 1);
    const { Items = [] } = await dynamodb().send(
      new QueryCommand({
        TableName: activityTable,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": responsesPartition(own.accountId) },
      }),
    );
    expect(Items).toHaveLength(1);
    expect(JSON.stringify(Items)).not.toContain("hush");
  });

  test.each(["", "two words", "ü", "a".repeat(256)])("is invalid when it is %j", async (key) => {
    const { body, visits } = aPage();
    const response = await send(encoded(key), body);
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: "VALIDATION_ERROR", details: { "Idempotency-Key": ["must have 1 to 255 visible ASCII characters"] } },
    ]);
    expect(await visits()).toBe(0);
  });
});

/** As a client writes a header: bytes, one for each character. */
function encoded(text: string): string {
  return Buffer.from(text).toString("latin1");
}

describe("idempotency: while the first request is in progress", () => {
  test("the others wait for its response", async () => {
    const own = await openClient();
    const key = randomUUID();
    const { body, visits } = aPage({ after: "500" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(key, body, { by: own })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(answers.map(isRepeated).filter((repeated) => !repeated)).toHaveLength(1);
    const bytes = await Promise.all(answers.map(bytesOf));
    expect(bytes.every((each) => each.equals(bytes[0] ?? Buffer.of()))).toBe(true);
    expect([await visits(), (await own.logs()).length]).toEqual([1, 1]);
  });

  test("none waits longer than its own timeout", async () => {
    const own = await openClient({ plan: "free" });
    const key = randomUUID();
    const { body, visits } = aPage();
    const quick = { ...body, timeout: 1 };
    await acquireLease(leaseOf(key, own), { now: Date.now() + 60_000, tag: tagOf(quick) });
    const late = await send(key, quick, { by: own });
    expect([late.status, (await late.json()).code]).toEqual([409, "CONFLICT"]);
    expect(late.headers.get("retry-after")).toMatch(/^\d+$/);
    expect([await visits(), await own.logs()]).toEqual([0, []]);
    expect((await (await own.get("/api/v1/account")).json()).quotas.screenshots.remaining).toBe(300);
  });

  test("another request with its key is rejected", async () => {
    const key = randomUUID();
    await acquireLease(leaseOf(key), { now: Date.now() + 60_000, tag: tagOf({}) });
    expect((await send(key, aPage().body)).status).toBe(409);
  });

  test("another takes over when it dies or fails with an internal error", async () => {
    const { body, visits } = aPage();
    const [killed, failed] = [randomUUID(), randomUUID()];
    await acquireLease(leaseOf(killed), { now: Date.now() - LEASE_MS + 500, tag: tagOf(body) });
    const lease = leaseOf(failed);
    await acquireLease(lease, { now: Date.now(), tag: tagOf(body) });
    const waiting = [send(killed, body), send(failed, body)];
    await releaseLease(lease);
    const answers = await Promise.all(waiting);
    expect(answers.map((answer) => [answer.status, isRepeated(answer)])).toEqual(Array(2).fill([200, false]));
    expect(await visits()).toBe(2);
  });
});
