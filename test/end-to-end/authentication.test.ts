// Authentication over HTTP: where keys are accepted, and what is said of those that are not.
import { beforeAll, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { issueKey } from "../../lib/service/keys/issue-key.ts";
import { withKey, withRevokedKey } from "../../lib/service/keys/key-ring.ts";
import { type Client, openClient } from "../support/client.ts";

const { baseUrl, accountsTable } = inject("service");
const address = `${baseUrl}/api/v1/usage`;
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const UNKNOWN = "cap_0000000000000000000000000000000000000000";

test("authentication: accepts a key in the header, in any case of the scheme, and in the query", async () => {
  expect((await fetch(address, { headers: bearer(client.key) })).status).toBe(200);
  expect((await fetch(address, { headers: { Authorization: `bEARER ${client.key}` } })).status).toBe(200);
  expect((await fetch(`${address}?access_key=${client.key}`)).status).toBe(200);
});

test("authentication: the header takes precedence when both are sent", async () => {
  const response = await fetch(`${address}?access_key=${client.key}`, { headers: bearer(UNKNOWN) });
  expect(response.status).toBe(401);
});

test.each([
  ["no key", {}],
  ["another scheme", { Authorization: "Basic dXNlcjpwYXNz" }],
  ["an unknown key", bearer(UNKNOWN)],
  ["half a key", bearer("cap_123")],
])(
  "authentication: rejects %s with JSON and a Bearer challenge, under the name that API Gateway gives it",
  async (_, headers) => {
    const response = await fetch(address, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("x-amzn-remapped-www-authenticate")).toBe("Bearer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = await response.clone().text();
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
    expect(await response.json()).toMatchObject({ code: "UNAUTHORIZED", retryable: false });
  },
);

test("authentication: explains where to send a key that is only in the body", async () => {
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ html: "x", access_key: client.key }),
  });
  expect(response.status).toBe(401);
  expect((await response.json()).error).toContain("Authorization: Bearer");
});

test("authentication: rejects a key as soon as it is revoked", async () => {
  const { accountId } = client;
  const { key, apiKey } = issueKey(
    { account_id: accountId, label: "Short", scopes: ["usage"], expires_at: null },
    Date.now(),
  );
  await updateKeyRing(accountsTable, accountId, (ring) => withKey(ring, apiKey));
  expect((await fetch(address, { headers: bearer(key) })).status).toBe(200);
  const now = new Date().toISOString();
  await updateKeyRing(accountsTable, accountId, (ring) => withRevokedKey(ring, apiKey.id, now));
  const refused = await fetch(address, { headers: bearer(key) });
  expect([refused.status, (await refused.json()).error]).toEqual([401, "This API key is revoked. Use another key."]);
});

test("authentication: checks the key before the options", async () => {
  const response = await fetch(`${baseUrl}/api/v1/screenshot?nonsense=1`);
  expect(response.status).toBe(401);
});
