// The routes of the API: paths, methods, and functions.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { IssuedKey } from "../../lib/api/keys/responses.ts";
import { routeResponses } from "../../lib/api/route-responses.ts";
import { allowedMethods, fallbackFunction, type PageRouteName, pageAccess, routes } from "../../lib/api/routes.ts";

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
])("routes: %s takes %j", (path, methods) => {
  expect(allowedMethods(path)).toEqual(methods);
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
  expect(allowedMethods(path)).toBeUndefined();
});

test("routes: every method of every path is unique", () => {
  const names = routes.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
  expect([...new Set(names)]).toEqual(names);
});

test("routes: whoever may change who owns an account, its settings or its sessions, is its owner", () => {
  const ofPages = routes.flatMap(({ path, methods }) =>
    /^\/(sessions?|sign-in)(\/|$)|\/account\/settings$/.test(path)
      ? methods.filter((method) => method !== "HEAD").map((method) => `${method} ${path}`)
      : [],
  );
  expect(
    Object.fromEntries(ofPages.map((name) => [name, pageAccess[name as PageRouteName] ?? "scope of a key"])),
  ).toEqual({
    "GET /sign-in": "anyone",
    "POST /sign-in/code": "anyone",
    "POST /sign-in/code/verify": "anyone",
    "POST /session": "anyone",
    "DELETE /session": "anyone", // it ends the session of its own cookie alone
    "GET /session": "session",
    "GET /sessions": "session",
    "DELETE /sessions": "owner",
    "DELETE /sessions/{id}": "owner",
    "POST /session/account/email/current": "owner",
    "POST /session/account/email/current/verify": "owner",
    "POST /session/account/email": "owner",
    "POST /session/account/email/verify": "owner",
    "POST /session/account/email/undo": "anyone", // its link is the proof
    "DELETE /session/account": "owner",
    "GET /session/account/export": "owner",
    "GET /api/v1/account/settings": "scope of a key",
    "PATCH /api/v1/account/settings": "owner",
  });
});

test("routes: every route has its function file", () => {
  const names = [...routes.map(({ functionName }) => functionName), fallbackFunction];
  const missing = names.filter((name) => !existsSync(new URL(`../../functions/${name}.ts`, import.meta.url)));
  expect(missing).toEqual([]);
});

test("routes: exactly the paths that take GET take HEAD", () => {
  const withHead = routes.filter(({ methods }) => methods.includes("HEAD")).map(({ path }) => path);
  expect(withHead).toEqual(routes.filter(({ methods }) => methods.includes("GET")).map(({ path }) => path));
});

test("routes: none that answers with API keys or signing secrets streams, and with it is compressed", () => {
  const secret = Object.entries(routeResponses)
    .filter(([, statuses]) => Object.values(statuses).some((bodies) => bodies.includes(IssuedKey as never)))
    .map(([name]) => name.split(" ")[1]);
  const streams = (path = "") => routes.find((route) => route.path === path)?.streams ?? false;
  expect(secret).toEqual(["/api/v1/keys", "/api/v1/keys/{id}/rotate"]);
  expect([secret.map(streams), streams("/api/v1/usage")]).toEqual([[false, false], true]);
});
