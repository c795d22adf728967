// The monthly limit of API keys over HTTP: who sets it, and what captures beyond it get.
import { beforeEach, describe, expect, test } from "vitest";
import { plans } from "../../lib/contract/plans.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";
import { recordPastCaptures } from "../support/past-captures.ts";

let client: Client;
beforeEach(async () => {
  client = await openClient();
});

async function send(method: string, path: string, body?: object, key = client.key) {
  const response = await sendWith({ key }, method, `/api/v1${path}`, { body });
  return { status: response.status, headers: response.headers, json: await response.json().catch(() => undefined) };
}

const aKey = async (options: object) => (await send("POST", "/keys", { label: "Website", ...options })).json;
const limit = (id: number, monthly_limit: unknown, key = client.key) =>
  send("PATCH", `/keys/${id}`, { monthly_limit }, key);
const capture = (key: string, options: object = {}) =>
  send("POST", "/screenshot", { html: "<p>Hello", viewport_width: 100, viewport_height: 100, ...options }, key);

describe("monthly limit: captures", () => {
  test("beyond it get 402, which names it and how to raise it, while other keys go on", async () => {
    const { id, key } = await aKey({ monthly_limit: 2 });
    const first = await capture(key);
    expect([first.status, first.headers.get("x-quota-remaining")]).toEqual([200, "1"]);
    expect((await capture(key)).status).toBe(200);
    const { status, json, headers } = await capture(key);
    expect([status, headers.get("x-quota-remaining")]).toEqual([402, "0"]);
    expect(json).toMatchObject({
      code: "QUOTA_EXCEEDED",
      details: { quota: "key", limit: 2, used: 2, resets_at: expect.any(String) },
      retryable: false,
    });
    expect(json.error).toBe(
      `This API key has reached its monthly limit: 2 of 2 captures are taken. It resets at ${json.details.resets_at}. Raise its ` +
        `limit under API keys in the dashboard, or send another \`monthly_limit\` to PATCH /api/v1/keys/${id}.`,
    );
    expect((await send("GET", `/keys/${id}`)).json).toMatchObject({ monthly_limit: 2, monthly_used: 2 });
    expect((await capture(client.key)).status).toBe(200);
    await limit(id, 3);
    expect((await capture(key)).status).toBe(200);
    await limit(id, null);
    expect((await capture(key)).status).toBe(200);
    expect((await send("GET", `/keys/${id}`)).json).toMatchObject({ monthly_limit: null, monthly_used: 4 });
  });

  test("at once: exactly as many succeed and are billed as the limit allows", async () => {
    const { id, key } = await aKey({ monthly_limit: 4 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => capture(key, { async: true })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill(202), ...Array(8).fill(402)]);
    const used = async () => (await send("GET", `/keys/${id}`)).json.monthly_used;
    await expect.poll(used, { timeout: 45_000 }).toBe(4);
    const { quotas } = (await send("GET", "/account")).json;
    expect(quotas.captures.used).toBe(4);
  });

  test("that fail, or are answered from the cache, use nothing of it", async () => {
    const { id, key } = await aKey({ monthly_limit: 1 });
    expect((await capture(key, { html: fakePage({ error: "CONTENT_RULE_FAILED" }) })).status).toBe(422);
    const cached = { cache: true };
    expect((await capture(key, cached)).status).toBe(200);
    expect((await capture(key, cached)).headers.get("x-cache")).toBe("HIT");
    expect((await capture(key)).status).toBe(402);
    expect((await send("GET", `/keys/${id}`)).json.monthly_used).toBe(1);
  });

  test("by signed links and by both texts of a rotated key count for the key", async () => {
    const { id, key } = await aKey({ monthly_limit: 1 });
    const rotated = (await send("POST", `/keys/${id}/rotate`, { overlap: 60 })).json;
    expect(rotated.monthly_limit).toBe(1);
    expect((await capture(key)).status).toBe(200);
    expect([(await capture(key)).status, (await capture(rotated.key)).status]).toEqual([402, 402]);
  });

  test("from before it was set count, and do not begin again when it is removed and set again", async () => {
    const { id, key } = await aKey({});
    await recordPastCaptures({ ...client, keyId: id }, { count: 7 });
    expect((await limit(id, 8)).json).toMatchObject({ monthly_limit: 8, monthly_used: 7 });
    expect((await capture(key)).status).toBe(200);
    expect((await capture(key)).json.details).toMatchObject({ limit: 8, used: 8 });
    await limit(id, null);
    await limit(id, 8);
    expect((await capture(key)).status).toBe(402);
    await limit(id, 9);
    expect([(await capture(key)).status, (await capture(key)).status]).toEqual([200, 402]);
  });

  test("of a limit of 0 are refused from the first", async () => {
    const { key } = await aKey({ monthly_limit: 0 });
    expect((await capture(key)).json.details).toMatchObject({ quota: "key", limit: 0, used: 0 });
  });

  test("of a trial are held to the limit and to the quota, whichever is reached first", async () => {
    client = await openClient({ plan: "free" });
    const { screenshots = 0 } = plans.free.quotas as { screenshots?: number };
    await recordPastCaptures(client, { count: screenshots - 1 });
    const { id, key } = await aKey({ monthly_limit: 5 });
    const answer = await capture(key);
    expect([answer.status, answer.headers.get("x-quota-remaining")]).toEqual([200, "0"]);
    expect((await capture(key)).json.details).toMatchObject({ quota: "screenshots" });
    await limit(id, 1);
    expect((await capture(key)).json.details).toMatchObject({ quota: "key", limit: 1, used: 1, resets_at: null });
  });
});

describe("monthly limit: setting it", () => {
  test("is refused for a key that manages keys, for one for tests, and for what is no number of captures", async () => {
    const manager = await aKey({ scopes: ["capture", "keys"] });
    const limited = await aKey({ monthly_limit: 1 });
    const refused = [
      await limit(manager.id, 1),
      await limit((await aKey({ test: true })).id, 1),
      ...(await Promise.all([-1, 1.5, 1e12, "many"].map((each) => limit(limited.id, each)))),
      await send("PATCH", `/keys/${limited.id}`, { scopes: ["capture", "keys"] }),
    ];
    expect(refused.map(({ status, json }) => [status, Object.keys(json.details)])).toEqual(
      Array(7).fill([422, ["monthly_limit"]]),
    );
    expect((await send("GET", `/keys/${limited.id}`)).json).toMatchObject({
      monthly_limit: 1,
      scopes: ["capture", "usage"],
    });
    const narrowed = await send("PATCH", `/keys/${manager.id}`, { monthly_limit: 1, scopes: ["capture"] });
    expect(narrowed.json).toMatchObject({ monthly_limit: 1, scopes: ["capture"] });
  });

  test("higher needs a key with all scopes of the key, and lower does not", async () => {
    const { key } = await aKey({ scopes: ["keys"] });
    const { id } = await aKey({ monthly_limit: 5 });
    expect((await limit(id, 4, key)).status).toBe(200);
    for (const higher of [5, null]) expect((await limit(id, higher, key)).status).toBe(403);
    expect((await send("GET", `/keys/${id}`)).json.monthly_limit).toBe(4);
  });

  test("of another account's key finds no key", async () => {
    const stranger = await openClient();
    expect((await limit(stranger.keyId, 0)).status).toBe(404);
    expect((await capture(stranger.key)).status).toBe(200);
  });
});
