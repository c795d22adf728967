// Health, unknown routes, methods, HEAD and CORS.
import { createHmac } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { purposes } from "../../lib/contract/options/filter-purposes.ts";
import { endOf, openClient, sendWith } from "../support/client.ts";
import { type OpenapiDocument, operationsOf, schemaCheck } from "../support/openapi.ts";

const { baseUrl } = inject("service");

test("health: is public and reports ok, and the filter lists with their age", async () => {
  const response = await fetch(`${baseUrl}/health`);
  const { status, lists } = (await response.json()) as { status: string; lists: Record<string, string>[] };
  expect([response.status, status]).toEqual([200, "ok"]);
  expect(lists).toContainEqual({
    purpose: "ads",
    title: "AdGuard Base filter",
    version: expect.stringMatching(/^\d+(\.\d+)+$/),
    date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
  expect([...new Set(lists.map(({ purpose }) => purpose))]).toEqual(purposes);
});

test("health: matches the OpenAPI document", async () => {
  const document: OpenapiDocument = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  const health = operationsOf(document).find(({ operationId }) => operationId === "getHealth");
  const isAsTold = schemaCheck(document, health?.responses[200]?.content?.["application/json"]?.schema ?? {});
  expect([isAsTold(await (await fetch(`${baseUrl}/health`)).json()), isAsTold.errors]).toEqual([true, null]);
  expect(isAsTold({ status: "ok", lists: [{ purpose: "none" }] })).toBe(false);
});

test.each(["/nothing", "/storage"])("routing: responds 404 at %s", async (path) => {
  const response = await fetch(`${baseUrl}${path}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "NOT_FOUND", request_id: expect.any(Number) });
});

test.each([
  ["DELETE", "/api/v1/screenshot", "GET, HEAD, POST, OPTIONS"],
  ["POST", "/api/v1/openapi.json", "GET, HEAD, OPTIONS"],
])("routing: does not accept %s at %s and names the allowed methods", async (method, path, allow) => {
  const response = await fetch(`${baseUrl}${path}`, { method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
});

describe("routing: HEAD", () => {
  /** Headers that differ between two answers to the same request; fetch closes the connection after HEAD. */
  const changing =
    /^(date|connection|keep-alive|x-request-id|x-amzn-requestid|x-response-time|x-ratelimit-.*|server-timing|etag)$/;
  const headersOf = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => !changing.test(name)));

  const signedQuery = (parameters: Record<string, string>, signingSecret: string) => {
    const query = Object.entries(parameters)
      .map((pair) => pair.map(encodeURIComponent).join("="))
      .toSorted()
      .join("&");
    return `${query}&signature=${createHmac("sha256", signingSecret).update(query).digest("hex")}`;
  };

  test.each(["/health", "/api/v1/account?foo=1", "/nothing"])(
    "of %s has the status and the headers of GET, and no body",
    async (path) => {
      const client = await openClient();
      const headers = { Authorization: `Bearer ${client.key}`, "Accept-Encoding": "identity" };
      const answers = ["GET", "HEAD"].map((method) => fetch(`${baseUrl}${path}`, { method, headers }));
      const [get, head] = (await Promise.all(answers)) as [Response, Response];
      expect([head.status, headersOf(head)]).toEqual([get.status, headersOf(get)]);
      expect([(await head.arrayBuffer()).byteLength, Number(head.headers.get("content-length"))]).toEqual([
        0,
        (await get.arrayBuffer()).byteLength,
      ]);
    },
  );

  test("of a capture, with a key or by a signed link, has the headers of its image and counts as one", async () => {
    const client = await openClient();
    const head = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${baseUrl}/api/v1/screenshot?${query}`, { method: "HEAD", headers });
      return [response.status, response.headers.get("content-type"), Number(response.headers.get("content-length"))];
    };
    const picture = { html: "<p>Hello</p>", viewport_width: "200", viewport_height: "100", cache_ttl: "60" };
    const taken = await head(`${new URLSearchParams(picture)}`, { Authorization: `Bearer ${client.key}` });
    const found = await client.capture(picture);
    expect(taken).toEqual([200, "image/png", (await found.arrayBuffer()).byteLength]);
    expect(found.headers.get("x-cache")).toBe("HIT");

    const expires = String(Math.floor(Date.now() / 1000) + 60);
    const signed = { ...picture, key_id: String(client.keyId), expires };
    expect(await head(signedQuery(signed, client.signingSecret))).toEqual(taken);
    expect((await (await client.get("/api/v1/account")).json()).quotas.captures.used).toBe(1);
  });

  test("of a job or a key changes nothing", async () => {
    const client = await openClient();
    const head = (path: string) => sendWith(client, "HEAD", path);
    const path = `/api/v1/keys/${client.keyId}`;
    expect((await head(path)).status).toBe(200);
    expect(await (await client.get(path)).json()).toMatchObject({ id: client.keyId, revoked_at: null });

    const { request_id } = await (await client.capture({ html: "a", async: "true" })).json();
    const stateOf = async () => (await client.get(`/api/v1/screenshot/${request_id}`)).json();
    await endOf(request_id, client);
    expect((await head(`/api/v1/screenshot/${request_id}`)).status).toBe(200);
    expect(await stateOf()).toMatchObject({ status: "success", url: expect.any(String) });
  });
});

test("CORS: any site can call with a key in a header", async () => {
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, { method: "OPTIONS" });
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-headers")?.toLowerCase().split(", ")).toEqual(
    expect.arrayContaining(["authorization", "if-none-match", "idempotency-key"]),
  );
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
});
