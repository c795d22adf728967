// Health, and what is answered where there is no route.
import { expect, inject, test } from "vitest";
import { purposes } from "../../lib/contract/filter-purposes.ts";
import { type OpenapiDocument, operationsOf, schemaCheck } from "../support/openapi.ts";

const { baseUrl } = inject("service");

test("says that it is well to anyone", async () => {
  const response = await fetch(`${baseUrl}/health`);
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: "ok" })]);
});

test("says which filter lists it has, and how old they are", async () => {
  const { lists } = (await (await fetch(`${baseUrl}/health`)).json()) as { lists: Record<string, string>[] };
  expect(lists).toContainEqual({
    purpose: "ads",
    title: "AdGuard Base filter",
    version: expect.stringMatching(/^\d+(\.\d+)+$/),
    date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
  expect([...new Set(lists.map(({ purpose }) => purpose))]).toEqual(purposes);
});

test("answers to the question after its health as its OpenAPI document says", async () => {
  const document: OpenapiDocument = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  const health = operationsOf(document).find(({ operationId }) => operationId === "getHealth");
  const isAsTold = schemaCheck(document, health?.responses[200]?.content?.["application/json"]?.schema ?? {});
  expect([isAsTold(await (await fetch(`${baseUrl}/health`)).json()), isAsTold.errors]).toEqual([true, null]);
  expect(isAsTold({ status: "ok", lists: [{ purpose: "none" }] })).toBe(false);
});

test.each(["/", "/nothing", "/api/v1", "/api/v1/screenshot/1/extra", "/storage"])("has nothing at %s", async (path) => {
  const response = await fetch(`${baseUrl}${path}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "NOT_FOUND", request_id: expect.any(Number) });
});

test.each([
  ["DELETE", "/api/v1/screenshot", "GET, POST, OPTIONS"],
  ["POST", "/api/v1/usage", "GET, OPTIONS"],
  ["PUT", "/health", "GET, OPTIONS"],
  ["POST", "/api/v1/openapi.json", "GET, OPTIONS"],
])("does not take %s at %s and says what it takes", async (method, path, allow) => {
  const response = await fetch(`${baseUrl}${path}`, { method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
});

test("lets any site call with a key in a header", async () => {
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, { method: "OPTIONS" });
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-headers")).toContain("Authorization");
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
});
