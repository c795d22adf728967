// /api/v1/keys: create, list, change, rotate and revoke API keys over HTTP.
import { beforeEach, describe, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { issueSecrets } from "../../lib/service/keys/issue-key.ts";
import { withChangedKey, withRotatedKey } from "../../lib/service/keys/key-ring.ts";
import { type Client, openClient, readJson, sendWith } from "../support/client.ts";
import { problemFinder } from "../support/openapi.ts";
import { serviceLogs } from "../support/service-logs.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

const { baseUrl, accountsTable } = inject("service");
const NO_SUCH_KEY = "The account has no API key of this id. List its keys with GET /api/v1/keys.";

/** An account for each test, so that none uses up the requests of another. */
let client: Client;

beforeEach(async () => {
  client = await openClient();
});

interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly body?: object;
}

/** Sends a request below `/api/v1/keys`; resolves to the status, the headers and the JSON of the answer. */
const send = (path: string, { method = "GET", key = client.key, body }: Sent = {}) =>
  readJson(sendWith({ key }, method, `/api/v1/keys${path}`, { body }));

const post = (body: object, parts: Sent = {}) => send("", { method: "POST", body, ...parts });
const patch = (id: number | string, body: object, parts: Sent = {}) =>
  send(`/${id}`, { method: "PATCH", body, ...parts });
const revoke = (id: number | string, parts: Sent = {}) => send(`/${id}`, { method: "DELETE", ...parts });
const rotate = (id: number | string, parts: Sent = {}) => send(`/${id}/rotate`, { method: "POST", ...parts });
const endPrevious = (id: number | string, parts: Sent = {}) => send(`/${id}/previous`, { method: "DELETE", ...parts });
const list = async (parts: Sent = {}) => (await send("", parts)).json.data;

/** A new key, as the answer to its making shows it. */
async function aKey(options: Record<string, unknown> = {}) {
  const { status, json } = await post({ label: "Website", ...options });
  expect(status).toBe(201);
  return json;
}

const statusOfUsage = async (key: string) => (await sendWith({ key }, "GET", "/api/v1/usage")).status;

const withoutSecrets = ({ key, signing_secret, ...rest }: Record<string, unknown>) => rest;

test("API keys: a key with the scope keys alone gives away no scope, but restricts, renames, and revokes any key", async () => {
  const { id, key } = await aKey({ scopes: ["keys"] });
  const larger = await aKey({ require_signature: true, expires_at: "2099-01-01T00:00:00Z" });
  await updateKeyRing(accountsTable, client.accountId, (ring) =>
    withChangedKey(ring, larger.id, { expires_at: new Date(Date.now() - 1000).toISOString() }),
  );
  const refused = [
    await post({ label: "x", scopes: ["capture", "keys"] }, { key }),
    await patch(id, { scopes: ["capture", "keys"] }, { key }),
    await patch(larger.id, { expires_at: null }, { key }),
    await patch(larger.id, { require_signature: false }, { key }),
    await patch(larger.id, { expires_at: null, scopes: ["keys"] }, { key }),
    await rotate(larger.id, { key }),
    await rotate(larger.id, { key, body: { overlap: 3600 } }),
  ];
  for (const { status, json } of refused)
    expect([status, json]).toMatchObject([
      403,
      { code: "FORBIDDEN", error: expect.stringMatching(/^This API key lacks the scopes? 'capture'/) },
    ]);
  expect(await list()).toHaveLength(3);
  expect(await statusOfUsage(larger.key)).toBe(401);
  await patch(larger.id, { expires_at: "2099-01-01T00:00:00Z" });
  expect(await statusOfUsage(larger.key)).toBe(200);
  const own = await aKey({ scopes: ["keys"], expires_at: "2099-01-01T00:00:00Z" });
  const accepted = [
    await post({ label: "x", scopes: ["keys"] }, { key }),
    await patch(own.id, { expires_at: null }, { key }),
    await patch(larger.id, { label: "Old", scopes: ["usage"] }, { key }), // it had that scope
    await rotate(own.id, { key }),
    await revoke(larger.id, { key }),
  ];
  expect(accepted.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  expect(await statusOfUsage(larger.key)).toBe(401);
});

describe("API keys: a new key", () => {
  test("is returned with its secrets, and has the default scopes", async () => {
    const before = Date.now();
    const { status, json, headers } = await post({ label: "  Website " });
    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json).toEqual({
      id: expect.any(Number),
      label: "Website",
      key_prefix: json.key.slice(0, 12),
      previous_texts: [],
      scopes: ["capture", "usage"],
      test: false,
      monthly_limit: null,
      monthly_used: 0,
      require_signature: false,
      last_used_at: null,
      expires_at: null,
      created_at: expect.any(String),
      revoked_at: null,
      key: expect.stringMatching(/^cap_[0-9A-Za-z]{46}$/),
      signing_secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
    });
    expect(Date.parse(json.created_at)).toBeGreaterThanOrEqual(before);
    expect(await statusOfUsage(json.key)).toBe(200);
  });

  test("is rejected with options that are wrong, each of which is named", async () => {
    const { status, json } = await post({ label: "a\nb", scope: ["usage"], account_id: 7 });
    expect([status, json]).toMatchObject([
      422,
      {
        code: "VALIDATION_ERROR",
        retryable: false,
        details: {
          label: ["must be one line without control characters"],
          scope: ["is not an option; did you mean 'scopes'?"],
          account_id: ["is not an option"],
        },
      },
    ]);
  });
});

describe("API keys: the list", () => {
  test("has every key of the account, oldest first, revoked ones too, and no secret", async () => {
    const first = await aKey({ label: "First" });
    const second = await aKey({ label: "Second" });
    const { json: revoked } = await revoke(first.id);
    const keys = await list();
    expect(keys.slice(1)).toEqual([revoked, withoutSecrets(second)]);
    expect(keys[0]).toMatchObject({ id: client.keyId, label: "Test", scopes: ["capture", "usage", "keys"] });
    expect(Object.keys(keys[0])).toEqual(Object.keys(withoutSecrets(first)));
  });
});

describe("API keys: changing a key", () => {
  test("keeps fields that are not sent, in JSON or in a form", async () => {
    const { key, signing_secret, ...made } = await aKey({ expires_at: "2099-01-01T00:00:00Z" });
    const relabelled = (await patch(made.id, { label: "Shop" })).json;
    expect(relabelled).toEqual({ ...made, label: "Shop" });
    const rescoped = (await patch(made.id, new URLSearchParams({ scopes: "capture" }))).json;
    expect(rescoped).toEqual({ ...relabelled, scopes: ["capture"] });
    const unending = (await patch(made.id, { expires_at: null })).json;
    expect(unending).toEqual({ ...rescoped, expires_at: null });
    expect((await patch(made.id, {})).json).toEqual(unending);
    expect((await send(`/${made.id}`)).json).toEqual(unending);
  });
});

describe("API keys: rotating a key", () => {
  test("replaces its text and secret, and rejects the old key at once", async () => {
    const made = await aKey({ scopes: ["usage"], expires_at: "2099-01-01T00:00:00Z" });
    const { status, json, headers } = await rotate(made.id);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const { key, signing_secret, key_prefix } = json;
    expect(json).toEqual({ ...made, key, signing_secret, key_prefix });
    expect(key_prefix).toBe(key.slice(0, 12));
    expect(signing_secret).toMatch(/^whsec_/);
    expect([key, signing_secret]).not.toEqual(expect.arrayContaining([made.key]));
    expect(signing_secret).not.toBe(made.signing_secret);
    expect(await statusOfUsage(made.key)).toBe(401);
    expect(await statusOfUsage(key)).toBe(200);
  });
});

describe("API keys: rotating a key with an overlap", () => {
  /** Rotates a key as if it had been at a time, in milliseconds since 1970. Resolves to its new text. */
  async function rotateAt(id: number, now: number, overlapSeconds: number) {
    const { key, secrets } = issueSecrets();
    await updateKeyRing(accountsTable, client.accountId, (ring) =>
      withRotatedKey(ring, id, { secrets, now, overlapSeconds }),
    );
    return key;
  }

  test("lets both texts work as the same key with the same scopes, and shows until when", async () => {
    const made = await aKey();
    const before = Date.now();
    const { status, json } = await rotate(made.id, { body: { overlap: 3600 } });
    expect([status, json.id, json.previous_texts]).toEqual([
      200,
      made.id,
      [{ key_prefix: made.key_prefix, ends_at: expect.any(String) }],
    ]);
    const [{ ends_at }] = json.previous_texts;
    expect(Date.parse(ends_at) - before).toBeGreaterThanOrEqual(3_600_000);
    expect(Date.parse(ends_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect([await statusOfUsage(made.key), await statusOfUsage(json.key)]).toEqual([200, 200]);
    const last_used_at = expect.any(String);
    expect((await send(`/${made.id}`)).json).toEqual({ ...withoutSecrets(json), last_used_at });
    await patch(made.id, { scopes: ["capture"] });
    expect([await statusOfUsage(made.key), await statusOfUsage(json.key)]).toEqual([403, 403]);
  });

  test("rejects the old text after its end, says why, and shows it no more", async () => {
    const made = await aKey();
    const key = await rotateAt(made.id, Date.now() - 60_000, 60);
    const refused = await send("", { key: made.key });
    expect([refused.status, refused.json.error]).toEqual([
      401,
      "This text of the API key has ended, because the key was rotated. Use the new text.",
    ]);
    expect(await statusOfUsage(key)).toBe(200);
    expect((await send(`/${made.id}`)).json.previous_texts).toEqual([]);
  });

  test("can be ended before its time, again without an effect, and by a rotation without an overlap", async () => {
    const made = await aKey();
    const second = (await rotate(made.id, { body: { overlap: 3600 } })).json;
    const ended = await endPrevious(made.id);
    expect([ended.status, ended.json.previous_texts]).toEqual([200, []]);
    expect((await endPrevious(made.id)).json).toEqual(ended.json);
    expect([await statusOfUsage(made.key), await statusOfUsage(second.key)]).toEqual([401, 200]);
    await rotate(made.id, { body: { overlap: 3600 } });
    expect(await statusOfUsage(second.key)).toBe(200);
    await rotate(made.id);
    expect(await statusOfUsage(second.key)).toBe(401);
  });

  slowTest("leaves one chain of texts after ten rotations at once, of which every one works", async () => {
    const made = await aKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(made.id, { body: { overlap: 3600 } })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const texts: string[] = [made.key, ...answers.map(({ json }) => json.key)];
    const { key_prefix, previous_texts } = (await send(`/${made.id}`)).json;
    const shown = [key_prefix, ...previous_texts.map((text: { key_prefix: string }) => text.key_prefix)];
    expect(shown.toSorted()).toEqual(texts.map((text) => text.slice(0, 12)).toSorted());
    expect(await Promise.all(texts.map(statusOfUsage))).toEqual(Array(11).fill(200));
    await endPrevious(made.id);
    expect((await Promise.all(texts.map(statusOfUsage))).filter((status) => status === 200)).toHaveLength(1);
  });
});

describe("API keys: a revoked key", () => {
  test("is rejected at once, and stays as it is however often it is revoked", async () => {
    const { id, key } = await aKey();
    const texts = [key, (await rotate(id, { body: { overlap: 604_800 } })).json.key];
    expect(await Promise.all(texts.map(statusOfUsage))).toEqual([200, 200]);
    const { status, json } = await revoke(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, label: "Website", revoked_at: expect.any(String), previous_texts: [] });
    expect(await Promise.all(texts.map(statusOfUsage))).toEqual([401, 401]);
    expect(await revoke(id)).toMatchObject({ status: 200, json });
    expect((await endPrevious(id)).status).toBe(200);
    expect(await Promise.all(texts.map(statusOfUsage))).toEqual([401, 401]);
    expect((await send(`/${id}`)).json).toEqual(json);
  });

  test("can be the one that sent the request, as a rotated one can", async () => {
    const { id, key: first } = await aKey({ scopes: ["keys"] });
    const { key } = (await rotate(id, { key: first })).json;
    expect([(await send("", { key: first })).status, (await send("", { key })).status]).toEqual([401, 200]);
    expect((await revoke(id, { key })).status).toBe(200);
    expect((await send("", { key })).status).toBe(401);
  });
});

describe("API keys: a key of another account", () => {
  test("is not found by any operation, with the same message for every id", async () => {
    const stranger = await openClient();
    for (const id of [String(stranger.keyId), `0${client.keyId}`, "KEY%23", "%00"]) {
      const answers = [
        await send(`/${id}`),
        await patch(id, { label: "Mine" }),
        await revoke(id),
        await rotate(id),
        await endPrevious(id),
      ];
      for (const { status, json } of answers) {
        expect([id, status, json.code, json.error]).toEqual([id, 404, "NOT_FOUND", NO_SUCH_KEY]);
      }
    }
    expect(await list({ key: stranger.key })).toMatchObject([{ label: "Test", revoked_at: null }]);
  });
});

sampled(test, 6).each([
  ["capture", { usage: 403, keys: 403, capture: 422 }],
  ["usage", { usage: 200, keys: 403, capture: 403 }],
  ["keys", { usage: 403, keys: 200, capture: 403 }],
])("scopes: a key with the scope '%s' only opens its own routes only", async (scope, expected) => {
  const { id, key } = await aKey({ scopes: [scope] });
  const headers = { Authorization: `Bearer ${key}` };
  const status = async (path: string, method = "GET") =>
    (await fetch(`${baseUrl}/api/v1${path}`, { method, headers })).status;
  expect(await status("/screenshot")).toBe(expected.capture);
  for (const path of ["/usage", "/usage/stats", "/account", "/account/invoices"]) {
    expect([path, await status(path)]).toEqual([path, expected.usage]);
  }
  const other = await aKey({ scopes: [scope] }); // it could not rotate one that may do more
  for (const [method, path] of [
    ["GET", ""],
    ["GET", `/${other.id}`],
    ["POST", `/${other.id}/rotate`],
    ["DELETE", `/${other.id}`],
  ] as const) {
    expect([method, path, await status(`/keys${path}`, method)]).toEqual([method, path, expected.keys]);
  }
  for (const [method, path] of [
    ["POST", ""],
    ["PATCH", `/${id}`],
  ] as const) {
    const allowed = method === "POST" ? 422 : 200;
    expect(await status(`/keys${path}`, method)).toBe(expected.keys === 200 ? allowed : 403);
  }
});

test("API keys: responses match the OpenAPI document, and its examples are accepted", async () => {
  const document = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  const { NewKey, KeyChanges, Key, IssuedKey } = document.components.schemas;
  const problemsOf = problemFinder(document);
  const issued = await aKey(NewKey.examples[0]);
  const { id } = issued;
  const answers = [
    ["IssuedKey", issued],
    ["IssuedKey", (await rotate(id)).json],
    ["Keys", (await send("")).json],
    ["Key", (await patch(id, KeyChanges.examples[0])).json],
    ["Key", (await endPrevious(id)).json],
    ["Key", (await revoke(id)).json],
    ["Error", (await rotate(id)).json],
    ["Error", (await post({})).json],
    ["Error", (await send("/0")).json],
  ] as const;
  for (const [schema, json] of answers) expect([schema, problemsOf(schema, json)]).toEqual([schema, []]);
  expect(Object.keys(issued)).toEqual(Object.keys(IssuedKey.properties));
  expect((await send(`/${id}`)).json).toMatchObject({ label: KeyChanges.examples[0].label, expires_at: null });
  expect(Object.keys((await send(`/${id}`)).json)).toEqual(Object.keys(Key.properties));
});

test("API keys: no key and no signing secret is in any log or later response, wherever a caller puts them", async () => {
  const made = await aKey({ scopes: ["capture", "usage", "keys"] });
  const rotated = (await rotate(made.id)).json;
  const secrets = [made.key, made.signing_secret, rotated.key, rotated.signing_secret];
  const later = [await send(`/${made.id}`), await send(""), await patch(made.id, { label: "Later" })];
  for (const secret of secrets) {
    later.push(await send("", { key: secret }));
    await send(`/${encodeURIComponent(secret)}`);
    await send(`/${secret}/rotate`, { method: "POST" });
    await post({ label: 7, [secret]: secret });
    await fetch(`${baseUrl}/api/v1/keys`, { ...badJson(secret), method: "POST" });
    await fetch(`${baseUrl}/${secret}?access_key=${secret}`);
  }
  later.push(await revoke(made.id));
  const last = later.at(-1)?.headers.get("x-request-id") ?? "nothing";
  await expect.poll(serviceLogs).toContain(last);
  const reported = [serviceLogs(), ...later.map(({ json }) => JSON.stringify(json))].join("\n");
  expect(secrets.filter((secret) => reported.includes(secret))).toEqual([]);
});

/** A body that is no JSON, from the client of the test. */
const badJson = (secret: string) => ({
  headers: { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" },
  body: `{"label":"${secret}`,
});
