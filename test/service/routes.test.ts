// The routes of the API: paths, methods, access, functions, and how they are documented.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as account from "../../lib/service/account/routes.ts";
import * as settings from "../../lib/service/account/settings-routes.ts";
import * as captureExports from "../../lib/service/account-data/capture-export-routes.ts";
import * as accountData from "../../lib/service/account-data/owner-routes.ts";
import * as invoicePdf from "../../lib/service/billing/invoice-pdf-route.ts";
import * as bulk from "../../lib/service/bulk/routes.ts";
import * as reports from "../../lib/service/captures/report-routes.ts";
import * as screenshot from "../../lib/service/captures/routes.ts";
import * as service from "../../lib/service/health/routes.ts";
import { allowedMethods } from "../../lib/service/http/path-templates.ts";
import type { Route } from "../../lib/service/http/route.ts";
import { WebhookTest } from "../../lib/service/jobs/responses.ts";
import * as jobs from "../../lib/service/jobs/routes.ts";
import * as keyless from "../../lib/service/keyless/routes.ts";
import { IssuedKeyResponse } from "../../lib/service/keys/responses.ts";
import * as keys from "../../lib/service/keys/routes.ts";
import * as mcp from "../../lib/service/mcp/routes.ts";
import { openapiDocument } from "../../lib/service/openapi/document.ts";
import { responseRef } from "../../lib/service/openapi/response-schemas.ts";
import * as operatedAccounts from "../../lib/service/operator/account-routes.ts";
import * as operatorEvents from "../../lib/service/operator/event-routes.ts";
import * as operator from "../../lib/service/operator/routes.ts";
import * as operatorToday from "../../lib/service/operator/today-routes.ts";
import * as receiverEvents from "../../lib/service/receivers/event-routes.ts";
import { IssuedReceiver, ReceiverSecret } from "../../lib/service/receivers/responses.ts";
import * as receivers from "../../lib/service/receivers/routes.ts";
import * as results from "../../lib/service/results/routes.ts";
import { apiRoutes, endpoints, knownPaths, routes } from "../../lib/service/routes.ts";
import * as session from "../../lib/service/sessions/routes.ts";
import * as usage from "../../lib/service/usage/routes.ts";
import { type OpenapiDocument, operationsOf } from "../support/openapi.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

/** The routes of each resource, by its file in `lib/service`. */
const resources: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  "captures/routes.ts": screenshot,
  "captures/report-routes.ts": reports,
  "jobs/routes.ts": jobs,
  "bulk/routes.ts": bulk,
  "usage/routes.ts": usage,
  "account/routes.ts": account,
  "account/settings-routes.ts": settings,
  "billing/invoice-pdf-route.ts": invoicePdf,
  "keyless/routes.ts": keyless,
  "keys/routes.ts": keys,
  "receivers/routes.ts": receivers,
  "receivers/event-routes.ts": receiverEvents,
  "results/routes.ts": results,
  "health/routes.ts": service,
  "sessions/routes.ts": session,
  "account-data/capture-export-routes.ts": captureExports,
  "account-data/owner-routes.ts": accountData,
  "mcp/routes.ts": mcp,
  "operator/routes.ts": operator,
  "operator/account-routes.ts": operatedAccounts,
  "operator/today-routes.ts": operatorToday,
  "operator/event-routes.ts": operatorEvents,
};
const exported = Object.values(resources).flatMap((routesOf) => Object.values(routesOf));

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
  ["/api/v1/keys", ["GET", "HEAD", "POST"]],
  ["/api/v1/keys/1", ["GET", "HEAD", "PATCH", "DELETE"]],
  ["/api/v1/keys/1/rotate", ["POST"]],
  ["/api/v1/keys/1/previous", ["DELETE"]],
  ["/api/v1/screenshot/1/webhook/redeliver", ["POST"]],
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
  expect(routes.map(nameOf).toSorted()).toEqual(exported.map(nameOf).toSorted());
});

test("routes: only the owner of an account changes who owns it, its settings, or its sessions", () => {
  const ofPages = routes.filter(({ path }) => /^\/(sessions?|sign-in|try)(\/|$)|\/account\/settings$/.test(path));
  expect(Object.fromEntries(ofPages.map((route) => [nameOf(route), route.access]))).toEqual({
    "GET /sign-in": "public",
    "POST /sign-in/code": "page",
    "POST /sign-in/code/verify": "page",
    "POST /session": "page",
    "DELETE /session": "page", // it ends the session of its own cookie alone
    "GET /session": "page",
    "GET /sessions": "session",
    "DELETE /sessions": "owner",
    "DELETE /sessions/{id}": "owner",
    "POST /session/account/email/current": "owner",
    "POST /session/account/email/current/verify": "owner",
    "POST /session/account/email": "owner",
    "POST /session/account/email/verify": "owner",
    "POST /session/account/email/undo": "page", // its link is the proof
    "POST /session/not-me": "page", // the same
    "POST /session/account/exports": "owner",
    "GET /session/account/exports": "owner",
    "GET /session/account/exports/{id}": "owner",
    "DELETE /session/account": "owner",
    "GET /session/account/deletions/{id}": "page", // its id is the proof
    "GET /api/v1/account/settings": "usage",
    "PATCH /api/v1/account/settings": "owner",
    "POST /try": "page", // it concerns no account
  });
});

test("routes: all of the operator but those of signing in are for operators alone, and no function lists their paths", () => {
  const ofOperator = routes.filter(({ functionName }) => functionName === "operator");
  const others = ofOperator.filter(({ access }) => access !== "operator");
  expect(Object.fromEntries(others.map((route) => [nameOf(route), route.access]))).toEqual({
    "GET /operator/api/sign-in": "page",
    "POST /operator/api/sign-in/code": "page",
    "POST /operator/api/sign-in/code/verify": "page",
    "POST /operator/api/sign-in/link": "page",
  });
  expect(ofOperator.length).toBeGreaterThan(others.length);
  expect(routes.filter(({ access }) => access === "operator").every((route) => ofOperator.includes(route))).toBe(true);
  expect(knownPaths.filter(([path]) => path.startsWith("/operator"))).toEqual([]);
  for (const { path } of ofOperator) expect(allowedMethods(path, knownPaths)).toBeUndefined();
});

test("routes: the function of every route serves it, and no other one does", () => {
  const names = [...new Set(routes.map(({ functionName }) => functionName))];
  const code = (name: string) =>
    read(`functions/${name}.ts`) +
    (name === "web" ? read("lib/service/health/service-handler.ts").replace("./routes", "health/routes") : "");
  const served = names.flatMap((name) =>
    Object.entries(resources).flatMap(([file, routesOf]) =>
      code(name).includes(`${file}"`) ? Object.values(routesOf).map((route) => [nameOf(route), name]) : [],
    ),
  );
  expect(served.toSorted()).toEqual(routes.map((route) => [nameOf(route), route.functionName]).toSorted());
});

test("routes: none that answers with API keys, signing secrets, or signatures is compressed", () => {
  const secret = [IssuedKeyResponse, WebhookTest, IssuedReceiver, ReceiverSecret] as readonly unknown[];
  const isSecret = ({ responses }: Route) =>
    Object.values(responses).some(({ json = [] }) => json.some((schema) => secret.includes(schema)));
  expect(routes.filter(isSecret).map(nameOf)).toEqual([
    "POST /api/v1/webhooks/test",
    "POST /api/v1/keys",
    "POST /api/v1/keys/{id}/rotate",
    "POST /api/v1/webhooks/receivers",
    "GET /api/v1/webhooks/receivers/{id}/secret",
    "POST /api/v1/webhooks/receivers/{id}/rotate",
    "POST /api/v1/webhooks/receivers/{id}/test",
  ]);
  expect(routes.filter(({ hasSecrets }) => hasSecrets)).toEqual(routes.filter(isSecret));
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
