// Authentication over HTTP: where keys are accepted, and what is said of those that are not.
import { beforeAll, expect, inject, test } from "vitest";
import { type Client, openClient } from "../support/client.ts";

const { baseUrl } = inject("service");
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

test.each([
  ["no key", {}],
  ["an unknown key", bearer(UNKNOWN)],
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
