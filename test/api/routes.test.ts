// The routes of the API: paths, methods, and functions.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { allowedMethods, fallbackFunction, routes } from "../../lib/api/routes.ts";

test.each([
  ["/health", ["GET", "HEAD"]],
  ["/api/v1/openapi.json", ["GET", "HEAD"]],
  ["/api/v1/screenshot", ["GET", "HEAD", "POST"]],
  ["/api/v1/usage", ["GET", "HEAD"]],
  ["/api/v1/usage/stats", ["GET", "HEAD"]],
  ["/storage/1-day/a_B-c.png", ["GET", "HEAD"]],
  ["/storage/a", ["GET", "HEAD"]],
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

test("routes: every path is unique", () => {
  const paths = routes.map(({ path }) => path);
  expect([...new Set(paths)]).toEqual(paths);
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
