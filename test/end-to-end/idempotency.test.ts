// `Idempotency-Key` through the API: a repeated request is carried out once and gets the same response.
import { randomUUID } from "node:crypto";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { responseKey, responsesPartition } from "../../lib/service/aws/table-keys.ts";
import { acquireLease, LEASE_MS, type Lease, releaseLease } from "../../lib/service/captures/lease-store.ts";
import { hashJson } from "../../lib/service/platform/hash-json.ts";
import { type Client, openClient, readJson, sendWith } from "../support/client.ts";
import { recordPastCaptures } from "../support/past-captures.ts";
import { sampled } from "../support/slow-run.ts";

const { site, activityTable } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Body = Readonly<Record<string, unknown>>;

interface Sending {
  readonly by?: Client;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Sends a capture with an idempotency key. */
const send = (key: string, body: Body, { by = client, headers = {}, ...sent }: Sending = {}) =>
  sendWith(by, "POST", "/api/v1/screenshot", { ...sent, body, headers: { "Idempotency-Key": key, ...headers } });

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

  test("gets the same JSON, including its link, and the same text", async () => {
    const key = randomUUID();
    const { body } = aPage();
    const [first, again] = [
      await send(key, { ...body, response_type: "json" }),
      await send(key, { response_type: "json", ...body }),
    ];
    const result = await first.json();
    expect(await again.json()).toEqual(result);
    expect([isRepeated(again), (await fetch(result.url)).status]).toEqual([true, 200]);
    for (const response_type of ["empty", "base64"]) {
      const name = randomUUID();
      const [once, twice] = [
        await send(name, { ...body, response_type }),
        await send(name, { ...body, response_type }),
      ];
      expect([twice.status, await twice.text(), isRepeated(twice)]).toEqual([once.status, await once.text(), true]);
    }
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
  test("with other options, when the previous ones were invalid", async () => {
    const key = randomUUID();
    const { body } = aPage();
    expect((await send(key, { ...body, viewport_width: "wide" })).status).toBe(422);
    expect((await send(key, body)).status).toBe(200);
  });
});

test.each(["/api/v1/screenshot?html=x", "/health"])(
  "idempotency: a header that would be ignored is rejected, with GET %s",
  async (path) => {
    const message = "is for POST only, and would be ignored with GET: leave it out";
    const { status, json } = await readJson(
      sendWith(client, "GET", path, { headers: { "Idempotency-Key": randomUUID() } }),
    );
    expect([status, json.code, json.details]).toEqual([422, "VALIDATION_ERROR", { "Idempotency-Key": [message] }]);
  },
);

/** Sends JSON to any route of the API, with an idempotency key. */
const post = (path: string, key: string, body: object | undefined, by: Pick<Client, "key">) =>
  sendWith(by, "POST", `/api/v1${path}`, { body, headers: { "Idempotency-Key": key } });

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

describe("idempotency: a used key", () => {
  test("is rejected for a request that differs, also while the first one is in progress", async () => {
    const [key, running] = [randomUUID(), randomUUID()];
    const { body, visits } = aPage();
    expect((await send(key, body)).status).toBe(200);
    await acquireLease(leaseOf(running), { now: Date.now() + 60_000, tag: tagOf({}) });
    for (const other of [await send(key, { ...body, authorization: "Bearer other" }), await send(running, body)])
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
});

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
