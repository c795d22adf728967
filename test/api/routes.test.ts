// The routes of the API: paths, methods, access, functions, and how they are documented.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as invoicePdf from "../../lib/api/account/invoice-pdf-route.ts";
import * as account from "../../lib/api/account/routes.ts";
import * as bulk from "../../lib/api/bulk/routes.ts";
import { allowedMethods } from "../../lib/api/http/path-templates.ts";
import type { Route } from "../../lib/api/http/route.ts";
import * as jobs from "../../lib/api/jobs/routes.ts";
import { IssuedKey } from "../../lib/api/keys/responses.ts";
import * as keys from "../../lib/api/keys/routes.ts";
import * as mcp from "../../lib/api/mcp/routes.ts";
import { openapiDocument } from "../../lib/api/openapi/document.ts";
import { responseRef } from "../../lib/api/openapi/response-schemas.ts";
import * as results from "../../lib/api/results/routes.ts";
import { apiRoutes, endpoints, fallbackFunction, knownPaths, routes } from "../../lib/api/routes.ts";
import * as screenshot from "../../lib/api/screenshot/routes.ts";
import * as service from "../../lib/api/service/routes.ts";
import * as accountData from "../../lib/api/session/account-data-routes.ts";
import * as session from "../../lib/api/session/routes.ts";
import * as usage from "../../lib/api/usage/routes.ts";
import { type OpenapiDocument, operationsOf } from "../support/openapi.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

/** The routes of each resource by the names of their exports. */
const exported: Readonly<Record<string, Route>> = {
  ...screenshot,
  ...jobs,
  ...bulk,
  ...usage,
  ...account,
  ...invoicePdf,
  ...keys,
  ...results,
  ...service,
  ...session,
  ...accountData,
  ...mcp,
};

test.each([
  ["/health", ["GET", "HEAD"]],
  ["/api/v1/openapi.json", ["GET", "HEAD"]],
  ["/api/v1/screenshot", ["GET", "HEAD", "POST"]],
  ["/api/v1/usage", ["GET", "HEAD"]],
  ["/api/v1/usage/stats", ["GET", "HEAD"]],
  ["/storage/1-day/a_B-c.png", ["GET", "HEAD"]],
  ["/storage/a", ["GET", "HEAD"]],
  ["/api/v1/account/settings", ["GET", "HEAD", "PATCH"]],
  ["/", ["GET", "HEAD"]],
  ["/docs", ["GET", "HEAD"]],
  ["/docs/guide/pdf", ["GET", "HEAD"]],
  ["/mcp", ["POST"]],
])("routes: %s takes %j", (path, methods) => {
  expect(allowedMethods(path, knownPaths)).toEqual(methods);
});

test.each([
  "",
  "/api/v1",
  "/api/v2/screenshot",
  "/api/v1/openapi-json",
  "/api/v1/screenshot/",
  "/api/v1/screenshots",
  "/API/v1/screenshot",
  "/x/api/v1/screenshot",
  "/api/v1/usage/stats/x",
  "/healthz",
  "/storage",
  "/storage/",
])("routes: no route has the path %j", (path) => {
  expect(allowedMethods(path, knownPaths)).toBeUndefined();
});

test("routes: every method of every path is unique", () => {
  const names = endpoints.map(nameOf);
  expect([...new Set(names)]).toEqual(names);
});

test("routes: the list has every route of every resource", () => {
  expect(routes.map(nameOf).toSorted()).toEqual(Object.values(exported).map(nameOf).toSorted());
});

test("routes: only the owner of an account changes who owns it, its settings, or its sessions", () => {
  const ofPages = routes.filter(({ path }) => /^\/(sessions?|sign-in)(\/|$)|\/account\/settings$/.test(path));
  expect(Object.fromEntries(ofPages.map((route) => [nameOf(route), route.access]))).toEqual({
    "GET /sign-in": "public",
    "POST /sign-in/code": "page",
    "POST /sign-in/code/verify": "page",
    "POST /session": "page",
    "DELETE /session": "page", // it ends the session of its own cookie alone
    "GET /session": "session",
    "GET /sessions": "session",
    "DELETE /sessions": "owner",
    "DELETE /sessions/{id}": "owner",
    "POST /session/account/email/current": "owner",
    "POST /session/account/email/current/verify": "owner",
    "POST /session/account/email": "owner",
    "POST /session/account/email/verify": "owner",
    "POST /session/account/email/undo": "page", // its link is the proof
    "DELETE /session/account": "owner",
    "GET /session/account/export": "owner",
    "GET /api/v1/account/settings": "usage",
    "PATCH /api/v1/account/settings": "owner",
  });
});

test("routes: the function of every route serves it, and no other one does", () => {
  const names = new Set(routes.map(({ functionName }) => functionName));
  const served = [...names].flatMap((functionName) => {
    const [, list = ""] = /serveRoutes\(\[([^\]]+)\]/.exec(read(`functions/${functionName}.ts`)) ?? [];
    return [...list.matchAll(/(?:\w+\.)?(\w+)/g)].map(([, route = ""]) => [functionName, route]);
  });
  const expected = Object.entries(exported).map(([route, { functionName }]) => [functionName, route]);
  expect(served.toSorted()).toEqual(expected.toSorted());
  expect(read(`functions/${fallbackFunction}.ts`)).toContain("answerUnmatched");
});

test("routes: none that answers with API keys or signing secrets streams, and with it is compressed", () => {
  const isSecret = ({ responses }: Route) => Object.values(responses).some(({ json = [] }) => json.includes(IssuedKey));
  expect(routes.filter(isSecret).map(({ path, streams = false }) => [path, streams])).toEqual([
    ["/api/v1/keys", false],
    ["/api/v1/keys/{id}/rotate", false],
  ]);
  expect(usage.listCaptures.streams).toBe(true);
});

test("routes: exactly the POST requests with an API key take an idempotency key", () => {
  const withKey = apiRoutes.filter(({ idempotency }) => idempotency).map(nameOf);
  expect(withKey).toEqual(apiRoutes.filter(({ method }) => method === "POST").map(nameOf));
  expect(withKey.length).toBeGreaterThan(4);
});

test("routes: the options of every GET request have a type in the client, except those of a capture", () => {
  const withoutType = apiRoutes.filter(
    ({ method, entries, operation }) => method === "GET" && entries && operation.queryType === undefined,
  );
  expect(withoutType.map(nameOf)).toEqual(["GET /api/v1/screenshot"]);
});

const operations = operationsOf(openapiDocument("https://api.example") as unknown as OpenapiDocument);

describe.each(apiRoutes.map((route) => [nameOf(route), route] as const))("routes: the operation of %s", (_, route) => {
  const { method, path, operation, responses } = route;
  const documented = operations.find((each) => each.method === method && each.path === (operation.path ?? path));

  test("has exactly the statuses of its responses", () => {
    const successes = Object.keys(documented?.responses ?? {}).filter((status) => Number(status) < 400);
    expect(successes).toEqual(Object.keys(responses));
  });

  test.each(Object.entries(responses))("refers to its response schemas for status %s", (status, { json = [] }) => {
    const content = documented?.responses[status]?.content?.["application/json"]?.schema as
      | { readonly anyOf?: readonly object[] }
      | undefined;
    const references = (content?.anyOf ?? (content ? [content] : [])).filter((each) => "$ref" in each);
    expect(references).toEqual(json.map(responseRef));
  });
});
