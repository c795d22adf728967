// /api/v1/keys: create, list, change, rotate and revoke API keys over HTTP.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { issueKey, issueSecrets } from "../../lib/service/keys/issue-key.ts";
import { withChangedKey, withKey, withRotatedKey } from "../../lib/service/keys/key-ring.ts";
import { type Client, openClient } from "../support/client.ts";
import { problemFinder } from "../support/openapi.ts";
import { sampled } from "../support/slow-run.ts";

const { baseUrl, accountsTable, dataDir } = inject("service");
const NO_SUCH_KEY = "The account has no API key of this id. List its keys with GET /api/v1/keys.";

/** An account for each test, so that none uses up the requests of another. */
let client: Client;

beforeEach(async () => {
  client = await openClient();
});

interface Sent {
  readonly method?: string;
  readonly key?: string;
  /** An object is sent as JSON. */
  readonly body?: object | string;
  readonly type?: string;
}

/** Sends a request below `/api/v1/keys`; resolves to the status, the headers and the JSON of the answer. */
async function send(path: string, { method = "GET", key = client.key, body, type }: Sent = {}) {
  const isForm = body instanceof URLSearchParams;
  const contentType = type ?? (isForm || body === undefined ? undefined : "application/json");
  const response = await fetch(`${baseUrl}/api/v1/keys${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(contentType && { "Content-Type": contentType }) },
    ...(body !== undefined && { body: isForm || typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const json = await response.json();
  return { status: response.status, headers: response.headers, json };
}

const post = (body: object | string, parts: Sent = {}) => send("", { method: "POST", body, ...parts });
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

const statusOfUsage = async (key: string) =>
  (await fetch(`${baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${key}` } })).status;

const withoutSecrets = ({ key, signing_secret, ...rest }: Record<string, unknown>) => rest;

describe("API keys: a key with the scope keys alone", () => {
  const inAnHour = () => new Date(Date.now() + 60 * 60 * 1000).toISOString();

  test("cannot let a larger key be used longer or in more places", async () => {
    const { key } = await aKey({ scopes: ["keys"] });
    const larger = await aKey({ expires_at: inAnHour(), require_signature: true });
    await updateKeyRing(accountsTable, client.accountId, (ring) =>
      withChangedKey(ring, larger.id, { expires_at: new Date(Date.now() - 1000).toISOString() }),
    );
    for (const change of [{ expires_at: null }, { expires_at: inAnHour() }, { require_signature: false }]) {
      const { status, json } = await patch(larger.id, change, { key });
      expect([status, json.code, json.error]).toEqual([
        403,
        "FORBIDDEN",
        "This API key lacks the scopes 'capture' and 'usage', so it cannot let a key that has them be used longer or in more " +
          "places. Use a key that has them.",
      ]);
    }
    expect((await rotate(larger.id, { key })).status).toBe(403);
    expect(await statusOfUsage(larger.key)).toBe(401);
  });

  test("can rename and restrict a larger key, and prolong one of its own scopes", async () => {
    const { key } = await aKey({ scopes: ["keys"] });
    const larger = await aKey({ expires_at: inAnHour() });
    const restricted = {
      label: "Old",
      require_signature: true,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    expect((await patch(larger.id, restricted, { key })).status).toBe(200);
    const own = await aKey({ scopes: ["keys"], expires_at: inAnHour() });
    expect((await patch(own.id, { expires_at: null }, { key })).status).toBe(200);
    expect((await patch(larger.id, { expires_at: null, scopes: ["keys"] }, { key })).status).toBe(403);
  });
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

  test("has the requested scopes and expiry, in JSON or in a form", async () => {
    const wanted = { scopes: ["usage", "keys"], expires_at: "2099-12-31T12:00:00.000Z" };
    const inJson = await aKey({ scopes: ["keys", "usage", "keys"], expires_at: "2099-12-31T14:00:00+02:00" });
    const form = new URLSearchParams({ label: "Form", expires_at: "2099-12-31T12:00Z" });
    form.append("scopes", "keys");
    form.append("scopes", "usage");
    expect(inJson).toMatchObject(wanted);
    expect((await post(form)).json).toMatchObject({ ...wanted, label: "Form" });
  });

  test("can have a label of markup", async () => {
    const label = `<script>alert("1")</script> & 'x' \\ %00 {{7*7}} $\{x}`;
    const { id } = await aKey({ label });
    expect((await send(`/${id}`)).json.label).toBe(label);
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

  test.each([
    ["no JSON", "{", "application/json", 400, "BAD_REQUEST"],
    ["a list", "[]", "application/json", 400, "BAD_REQUEST"],
    ["poison", '{"label":"x","__proto__":{"scopes":["keys"]}}', "application/json", 422, "VALIDATION_ERROR"],
    ["another type", "<a/>", "application/xml", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["no body", "", "application/json", 422, "VALIDATION_ERROR"],
  ])("is rejected when its body is %s", async (_, body, type, status, code) => {
    const answer = await post(body, { type });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test("is one of at most 49, until another is revoked", async () => {
    for (let count = 2; count < 49; count++) {
      const facts = { account_id: client.accountId, label: "Stored", expires_at: null };
      const { apiKey } = issueKey({ ...facts, scopes: ["usage"] }, Date.now());
      await updateKeyRing(accountsTable, client.accountId, (ring) => withKey(ring, apiKey));
    }
    const { id } = await aKey();
    const refused = await post({ label: "One too many" });
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({ code: "CONFLICT", retryable: false });
    expect(await list()).toHaveLength(49);
    await revoke(id);
    expect((await post({ label: "As many as there may be" })).status).toBe(201);
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

  test("has the last use of each key", async () => {
    const key = await aKey();
    const lastUse = async () => Date.parse((await send(`/${key.id}`)).json.last_used_at);
    expect(await lastUse()).toBeNaN();
    const before = Date.now();
    await statusOfUsage(key.key);
    const first = await lastUse();
    expect(first).toBeGreaterThanOrEqual(before);
    expect(first).toBeLessThanOrEqual(Date.now());
    await statusOfUsage(key.key);
    expect(await lastUse()).toBeGreaterThan(first);
    const listed = await list();
    const { last_used_at } = listed.find(({ id }: { id: number }) => id === key.id);
    expect(Date.parse(last_used_at)).toBeGreaterThan(first);
  });

  test("takes no options", async () => {
    const { status, json } = await send("?page=2");
    expect(status).toBe(422);
    expect(json.details).toEqual({ page: ["is not an option"] });
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

  test("changes its scopes at once", async () => {
    const { id, key } = await aKey({ scopes: ["capture"] });
    expect(await statusOfUsage(key)).toBe(403);
    await patch(id, { scopes: ["usage"] });
    expect(await statusOfUsage(key)).toBe(200);
    await patch(id, { scopes: ["keys"] });
    expect(await statusOfUsage(key)).toBe(403);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["no scope", { scopes: [] }, "scopes"],
    ["an empty label", { label: " " }, "label"],
    ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    ["what it cannot be notified", { revoked_at: null }, "revoked_at"],
    ["a key of the caller's choice", { key: "cap_x" }, "key"],
  ])("is rejected for %s", async (_, body, field) => {
    const { id, ...made } = withoutSecrets(await aKey());
    const { status, json } = await patch(id as number, body);
    expect([status, Object.keys(json.details)]).toEqual([422, [field]]);
    expect((await send(`/${id}`)).json).toEqual({ id, ...made });
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

  test("can be requested with the key itself", async () => {
    const made = await aKey({ scopes: ["keys"] });
    const { json } = await rotate(made.id, { key: made.key });
    expect((await send("", { key: made.key })).status).toBe(401);
    expect((await send("", { key: json.key })).status).toBe(200);
  });

  test("takes no options", async () => {
    const { id, key } = await aKey();
    const { status, json } = await rotate(id, { body: { expires_at: null } });
    expect([status, json.details]).toEqual([422, { expires_at: ["is not an option"] }]);
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

  test("lets both texts work as the same key, and shows until when", async () => {
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
    expect((await send(`/${made.id}`)).json).toEqual({
      ...withoutSecrets(json),
      last_used_at: expect.any(String),
    });
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

  test("ends for both texts at once with a revocation, and no later change brings the old one back", async () => {
    const made = await aKey();
    const { key } = (await rotate(made.id, { body: { overlap: 604_800 } })).json;
    expect((await revoke(made.id)).json.previous_texts).toEqual([]);
    expect([await statusOfUsage(made.key), await statusOfUsage(key)]).toEqual([401, 401]);
    expect((await endPrevious(made.id)).status).toBe(200);
    expect([await statusOfUsage(made.key), await statusOfUsage(key)]).toEqual([401, 401]);
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

  test("holds for the scopes and the expiry of the key, which a change takes from both texts", async () => {
    const made = await aKey();
    const { key } = (await rotate(made.id, { body: { overlap: 3600 } })).json;
    await patch(made.id, { scopes: ["capture"] });
    expect([await statusOfUsage(made.key), await statusOfUsage(key)]).toEqual([403, 403]);
  });

  test("leaves one chain of texts after ten rotations at once, of which every one works", async () => {
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

  test("can't be asked for by a key that lacks a scope of the key, nor be longer than 7 days", async () => {
    const { key } = await aKey({ scopes: ["keys"] });
    const larger = await aKey();
    expect((await rotate(larger.id, { key, body: { overlap: 3600 } })).status).toBe(403);
    expect((await rotate(larger.id, { body: { overlap: 604_801 } })).json.details).toEqual({
      overlap: ["must be a whole number from 0 to 604800 seconds, not 604801; for 604801 milliseconds, send 604.8"],
    });
    expect(await statusOfUsage(larger.key)).toBe(200);
  });
});

describe("API keys: a revoked key", () => {
  test("is rejected at once, and stays as it is however often it is revoked", async () => {
    const { id, key } = await aKey();
    expect(await statusOfUsage(key)).toBe(200);
    const { status, json } = await revoke(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, label: "Website", revoked_at: expect.any(String) });
    expect(await statusOfUsage(key)).toBe(401);
    expect(await revoke(id)).toMatchObject({ status: 200, json });
    expect((await send(`/${id}`)).json).toEqual(json);
  });

  test("can be neither changed nor rotated", async () => {
    const { id } = await aKey();
    const { revoked_at } = (await revoke(id)).json;
    for (const { status, json } of [await patch(id, { label: "Back" }), await rotate(id)]) {
      expect(status).toBe(409);
      expect(json).toMatchObject({
        code: "CONFLICT",
        error: `This API key was revoked at ${revoked_at} and cannot be changed. Create another one.`,
      });
    }
  });

  test("can be the one that sent the request", async () => {
    const { id, key } = await aKey({ scopes: ["keys"] });
    expect((await revoke(id, { key })).status).toBe(200);
    expect((await send("", { key })).status).toBe(401);
  });
});

test("API keys: an expired key is rejected, and works again when its expiry is extended", async () => {
  const { key, apiKey } = issueKey(
    { account_id: client.accountId, label: "Expired", scopes: ["usage"], expires_at: new Date().toISOString() },
    Date.now(),
  );
  const ring = await updateKeyRing(accountsTable, client.accountId, (current) => withKey(current, apiKey));
  expect(await statusOfUsage(key)).toBe(401);
  expect((await patch(ring.keys.at(-1)?.id ?? 0, { expires_at: "2099-01-01T00:00:00Z" })).status).toBe(200);
  expect(await statusOfUsage(key)).toBe(200);
});

describe("API keys: a key of another account", () => {
  const hostile = ["0", "-1", "1e3", "NaN", "Infinity", "x", "9007199254740993", "%00", "KEY%23", "1%2F2", "💥"];

  test("is not found by any operation, with the same message for every id", async () => {
    const stranger = await openClient();
    for (const id of [String(stranger.keyId), ...hostile]) {
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

  test("is not found by another spelling of an id either", async () => {
    const { id } = await aKey();
    for (const spelling of [`0${id}`, `+${id}`, `%20${id}`, `${id}.0`, `${id}n`, `0x${id.toString(16)}`]) {
      expect([spelling, (await send(`/${spelling}`)).status]).toEqual([spelling, 404]);
    }
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

describe("scopes: a key cannot grant scopes that it lacks", () => {
  const refused = (what: string) => ({
    status: 403,
    json: { code: "FORBIDDEN", error: `This API key lacks ${what}` },
  });
  let keys: { id: number; key: string };
  beforeEach(async () => {
    keys = await aKey({ label: "Manager", scopes: ["keys"] });
  });

  test("to a new key", async () => {
    const cannot = "so it cannot give it to another key. Name only scopes that this key has, or use another key.";
    const one = await post({ label: "x", scopes: ["capture", "keys"] }, { key: keys.key });
    expect(one).toMatchObject(refused(`the scope 'capture', ${cannot}`));
    const both = await post({ label: "x" }, { key: keys.key });
    expect(both).toMatchObject(
      refused(
        "the scopes 'capture' and 'usage', so it cannot give them to another key. Name only scopes that this key has, or use another key.",
      ),
    );
    expect(await list()).toHaveLength(2);
    expect((await post({ label: "x", scopes: ["keys"] }, { key: keys.key })).status).toBe(201);
  });

  test("to itself or another key by a change", async () => {
    const { id } = await aKey({ scopes: ["usage"] });
    const message =
      "the scope 'capture', so it cannot give it to a key. Name only scopes that this key has, or use another key.";
    for (const each of [id, keys.id]) {
      expect(await patch(each, { scopes: ["capture", "keys"] }, { key: keys.key })).toMatchObject(refused(message));
    }
    // What a key has already is not given to it.
    const kept = await patch(id, { scopes: ["usage", "keys"], label: "Both" }, { key: keys.key });
    expect([kept.status, kept.json.scopes]).toEqual([200, ["usage", "keys"]]);
  });

  test("by rotating a key that has them", async () => {
    const { id, key } = await aKey({ scopes: ["usage", "keys"] });
    expect(await rotate(id, { key: keys.key })).toMatchObject(
      refused("the scope 'usage', so it cannot rotate a key that has it. Use another key."),
    );
    expect(await statusOfUsage(key)).toBe(200);
    expect((await rotate(keys.id, { key: keys.key })).status).toBe(200);
  });

  test("but it can revoke any key", async () => {
    const { id } = await aKey({ scopes: ["usage"] });
    expect((await revoke(id, { key: keys.key })).status).toBe(200);
  });
});

test("scopes: an error for a missing scope changes nothing and names the scope", async () => {
  const { id, key } = await aKey();
  const { status, json } = await patch(id, { scopes: ["keys"] }, { key });
  expect(status).toBe(403);
  expect(json).toMatchObject({ code: "FORBIDDEN", error: expect.stringContaining("'keys'") });
  expect((await send(`/${id}`)).json.scopes).toEqual(["capture", "usage"]);
});

test("rate limit: every response of the key routes has its headers, errors too", async () => {
  const { id } = await aKey();
  const answers = [
    await send(""),
    await send(`/${id}`),
    await patch(id, { label: "x" }),
    await rotate(id),
    await revoke(id),
    await send("/0"),
    await rotate(id),
    await post({}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 409, 422]);
  const remaining = answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  expect(remaining).toEqual(remaining.map((_, index) => (remaining[0] ?? 0) - index));
  for (const { headers } of answers) {
    expect(headers.get("x-ratelimit-limit")).toBe("150");
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(0);
  }
});

test.each([
  ["", "PUT", "GET, HEAD, POST, OPTIONS"],
  ["/1", "POST", "GET, HEAD, PATCH, DELETE, OPTIONS"],
  ["/1/rotate", "GET", "POST, OPTIONS"],
  ["/1/previous", "POST", "DELETE, OPTIONS"],
])("API keys: /api/v1/keys%s does not accept %s, and names the allowed methods", async (path, method, allow) => {
  const { status, headers } = await send(path, { method });
  expect([status, headers.get("allow")]).toEqual([405, allow]);
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
    await post(`{"label":"${secret}`);
    await fetch(`${baseUrl}/${secret}?access_key=${secret}`);
  }
  later.push(await revoke(made.id));
  const last = later.at(-1)?.headers.get("x-request-id") ?? "nothing";
  await expect.poll(logs).toContain(last);
  const reported = [logs(), ...later.map(({ json }) => JSON.stringify(json))].join("\n");
  expect(secrets.filter((secret) => reported.includes(secret))).toEqual([]);
});

/** All that the functions have logged. */
function logs(): string {
  const folder = join(dataDir, "logs");
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}
