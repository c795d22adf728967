// Tenant isolation: two accounts of one service see nothing of each other, and ids give no access.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

const { baseUrl, site, receiver } = inject("service");
const DELIVERED = { status: "success", webhook: { status: "delivered" } };
const small = { viewport_width: 100, viewport_height: 100 };

let owner: Client;
let stranger: Client;
/** What the owner has. */
let job: number;
let item: number;
let key: number;
beforeAll(async () => {
  [owner, stranger] = await Promise.all([openClient(), openClient()]);
  const webhook_url = `${receiver}/to/${randomUUID()}`;
  const requested = await send(owner, "POST", "/api/v1/screenshot", { html: "x", ...small, async: true, webhook_url });
  job = (await requested.json()).request_id;
  const bulk = await send(owner, "POST", "/api/v1/bulk", { requests: [{ html: "y", ...small }] });
  item = (await bulk.json()).data[0].request_id;
  key = (await (await send(owner, "POST", "/api/v1/keys", { label: "Theirs" })).json()).id;
  await vi.waitFor(async () => expect(await stateOf(job)).toMatchObject(DELIVERED), { timeout: 20_000, interval: 300 });
});

const send = (by: Client, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  sendWith(by, method, path, { body, headers });

const stateOf = async (id: number) => (await send(owner, "GET", `/api/v1/screenshot/${id}`)).json();

/** Headers that tell of the request itself. */
const OF_THE_MOMENT =
  /^(x-request-id|x-amzn-requestid|x-response-time|x-ratelimit-.*|date|server-timing|etag|location)$/;

/** An answer without what is of the request itself, and of the moment. */
async function reported(response: Response) {
  const headers = [...response.headers].filter(([name]) => !OF_THE_MOMENT.test(name));
  const body = (await response.text()).replace(/"request_id":\d+/, '"request_id":0');
  return { status: response.status, headers, body };
}

const verbs: readonly [verb: string, method: string, path: (id: number | string) => string, body?: object][] = [
  ["the state of a capture", "GET", (id) => `/api/v1/screenshot/${id}`],
  ["the end of a result", "DELETE", (id) => `/api/v1/screenshot/${id}`],
  ["a webhook once more", "POST", (id) => `/api/v1/screenshot/${id}/webhook/redeliver`],
  ["a key", "GET", (id) => `/api/v1/keys/${id}`],
  ["another label for a key", "PATCH", (id) => `/api/v1/keys/${id}`, { label: "Mine" }],
  ["the end of a key", "DELETE", (id) => `/api/v1/keys/${id}`],
  ["a new text for a key", "POST", (id) => `/api/v1/keys/${id}/rotate`],
];

describe.each(verbs)("tenant isolation: a request for %s", (verb, method, path, body) => {
  const ids = () => (verb.includes("key") || verb.includes("a new text") ? [key, owner.keyId] : [job, item]);
  const answerTo = async (by: Client, id: number | string) => reported(await send(by, method, path(id), body));

  test("of another account gets the same response as for a missing one", async () => {
    const unknown = await answerTo(stranger, 7);
    expect(unknown).toMatchObject({ status: 404, body: expect.stringContaining('"NOT_FOUND"') });
    for (const id of ids()) expect(await answerTo(stranger, id)).toEqual(unknown);
    for (const [id = 0] of [ids()])
      expect([await answerTo(owner, id - 1), await answerTo(owner, id + 1)]).toEqual([unknown, unknown]);
  });

  slowTest("by an id in another spelling gets that response, for the owner too", async () => {
    const [id = 0] = ids();
    const spellings = [
      `0${id}`,
      `+${id}`,
      `${id}.0`,
      `${id}e0`,
      `0x${id.toString(16)}`,
      `%20${id}`,
      `${id}%00`,
      `${id}%23`,
    ];
    const others = [-id, 2 ** 53, `${2 ** 53}1`, "NaN", "constructor", "__proto__"];
    const unknown = await answerTo(owner, 7);
    for (const other of [...spellings, ...others]) {
      expect([other, await answerTo(owner, other)]).toEqual([other, unknown]);
    }
  });

  sampled(test, 2).each(["%2f", "..%2f", "%2e%2e%2f1", "1%2f..%2f", "%5c"])("by %s finds nothing", async (id) => {
    expect(await answerTo(stranger, id)).toMatchObject({ status: 404, body: expect.stringContaining('"NOT_FOUND"') });
  });
});

test("tenant isolation: none of these requests changed the owner's data", async () => {
  expect(await stateOf(job)).toMatchObject(DELIVERED);
  expect((await fetch((await stateOf(item)).url)).status).toBe(200);
  const keys = (await (await owner.get("/api/v1/keys")).json()).data;
  expect(keys).toMatchObject([{ revoked_at: null }, { id: key, label: "Theirs", revoked_at: null }]);
});

describe("tenant isolation: a list", () => {
  test("contains the account's own entries, whichever key is requested", async () => {
    const listed = async (api_key_id: number) => {
      const { data, total } = await (await stranger.get("/api/v1/usage", { api_key_id: String(api_key_id) })).json();
      return { data, total };
    };
    expect(await listed(owner.keyId)).toEqual({ data: [], total: 0 });
    expect(await listed(7)).toEqual({ data: [], total: 0 });
  });

  sampled(test, 4).each([
    "/api/v1/keys",
    "/api/v1/account",
    "/api/v1/account/invoices",
    "/api/v1/usage",
    "/api/v1/usage/stats",
  ])("at %s does not change by what other accounts do", async (path) => {
    const fresh = await openClient();
    const listed = async () => (await (await fresh.get(path)).text()).replace(/"last_used_at":"[^"]+"/, "");
    const before = await listed();
    await send(owner, "POST", "/api/v1/screenshot", { html: randomUUID(), ...small });
    expect(await listed()).toBe(before);
  });
});

describe("tenant isolation: a capture of one account", () => {
  const page = (more: object = {}) => {
    const name = randomUUID();
    const body = { url: `${site}/counted?name=${name}&after=300`, ...small, format: "text", ...more };
    return { body, visits: async () => Number(await (await fetch(`${site}/visits?name=${name}`)).text()) };
  };
  const capture = (by: Client, body: object, headers = {}) => send(by, "POST", "/api/v1/screenshot", body, headers);
  const cached = { cache_ttl: 600, cache_stale_ttl: 600, cache_key: "the-same" };

  test("is in no other account's cache: the response is that of a new capture", async () => {
    const { body, visits } = page(cached);
    const own = await capture(owner, body);
    const tag = own.headers.get("etag") ?? "";
    const theirs = await reported(await capture(stranger, body, { "If-None-Match": tag }));
    const fresh = await reported(await capture(stranger, page(cached).body));
    expect(theirs.headers).toContainEqual(["x-cache", "MISS"]);
    const named = ({ headers }: typeof theirs) => headers.map(([name]) => name);
    expect([theirs.status, named(theirs), await visits()]).toEqual([200, named(fresh), 2]);
  });

  test("makes no other account wait that sends the same request at the same time", async () => {
    const { body, visits } = page(cached);
    const both = await Promise.all([capture(owner, body), capture(stranger, body)]);
    expect(both.map(({ headers }) => headers.get("x-cache"))).toEqual(["MISS", "MISS"]);
    expect(await visits()).toBe(2);
  });

  test("fails for no other account", async () => {
    const { body, visits } = page(cached);
    const failing = { ...body, url: `${body.url}&status=503` };
    const answers = await Promise.all([capture(owner, failing), capture(stranger, failing)]);
    const [own, theirs] = await Promise.all(answers.map((answer) => answer.json()));
    expect([own.code, theirs.code, await visits()]).toEqual(["TARGET_HTTP_ERROR", "TARGET_HTTP_ERROR", 2]);
  });

  test("is not repeated to another account by its idempotency key, which is not rejected either", async () => {
    const name = randomUUID();
    const { body, visits } = page();
    const own = await capture(owner, body, { "Idempotency-Key": name });
    const same = await capture(stranger, body, { "Idempotency-Key": name });
    const another = await capture(await openClient(), page().body, { "Idempotency-Key": name });
    const repeated = [own, same, another].map(({ headers }) => headers.get("idempotent-replayed"));
    expect([repeated, another.status, await visits()]).toEqual([[null, null, null], 200, 2]);
  });

  test("has a file name that other accounts can use too", async () => {
    const ids = await Promise.all(
      [owner, stranger].map(async (by) => {
        const requested = await capture(by, { html: by.key, ...small, async: true, external_identifier: "order-7" });
        return (await requested.json()).request_id;
      }),
    );
    const [, theirs] = ids;
    expect((await send(owner, "GET", `/api/v1/screenshot/${theirs}`)).status).toBe(404);
  });
});

test("tenant isolation: a link signed with another account's key is rejected like one without a key", async () => {
  const requested = {
    url: `${site}/box`,
    expires: String(Math.ceil(Date.now() / 1000) + 60),
    signature: "0".repeat(64),
  };
  const refused = async (keyId: number) => {
    const query = new URLSearchParams({ ...requested, key_id: String(keyId) });
    const answer = await reported(await fetch(`${baseUrl}/api/v1/screenshot?${query}`));
    return { ...answer, body: answer.body.replace(`key_id=${keyId}&`, "") }; // the text to be signed repeats what was sent
  };
  const unknown = Number(String(owner.keyId).replace(/.$/, (digit) => String((Number(digit) + 1) % 10))); // as long, for equal lengths
  expect(await refused(owner.keyId)).toEqual(await refused(unknown));
});

test("tenant isolation: a response has no headers of the function's previous response", async () => {
  const counted = await owner.get("/api/v1/account");
  const refused = await fetch(`${baseUrl}/api/v1/account`);
  const limitsIn = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith("x-ratelimit"));
  expect([limitsIn(counted).length, refused.status, limitsIn(refused)]).toEqual([4, 401, []]);
});
