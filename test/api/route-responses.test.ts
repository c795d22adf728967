// The response schemas of the routes: in the OpenAPI document, and in the types of the handlers.
import { readFileSync } from "node:fs";
import type { GenericSchema } from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { json } from "../../lib/api/http/response.ts";
import { routeHandler } from "../../lib/api/http/route-handler.ts";
import { openapiDocument } from "../../lib/api/openapi/document.ts";
import { responseRef } from "../../lib/api/openapi/response-schemas.ts";
import { type RouteBody, routeResponses } from "../../lib/api/route-responses.ts";
import { apiRoutes, type RouteName } from "../../lib/api/routes.ts";
import { type OpenapiDocument, operationsOf } from "../support/openapi.ts";

const operations = operationsOf(openapiDocument("https://api.example") as unknown as OpenapiDocument);
const names = Object.keys(routeResponses) as RouteName[];

test("route responses: every method of every route has response schemas, except HEAD, which has no body", () => {
  const declared = apiRoutes.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
  expect(names.toSorted()).toEqual(declared.filter((name) => !name.startsWith("HEAD")).toSorted());
});

describe.each(names)("route responses: the operation of %s", (name) => {
  const [method, path = ""] = name.split(" ");
  const documentedPath = path.replace("{key+}", "{lifetime}/{name}");
  const operation = operations.find((each) => each.method === method && each.path === documentedPath);

  test("documents exactly the statuses of its response schemas", () => {
    const successes = Object.keys(operation?.responses ?? {}).filter((status) => Number(status) < 400);
    expect(successes).toEqual(Object.keys(routeResponses[name]));
  });

  test.each(Object.entries(routeResponses[name]))("refers to its response schemas for status %s", (status, schemas) => {
    const content = operation?.responses[status]?.content?.["application/json"]?.schema as
      | { readonly anyOf?: readonly object[] }
      | undefined;
    const documented = (content?.anyOf ?? (content ? [content] : [])).filter((each) => "$ref" in each);
    expect(documented).toEqual((schemas as readonly GenericSchema[]).map(responseRef));
  });
});

test("route responses: the handler of every route is typed by this route", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const typed = apiRoutes.map(({ functionName }) => {
    const entry = read(`functions/${functionName}.ts`);
    const [, imported] = /await import\("\.\.\/(lib\/api\/[^"]+)"\)/.exec(entry) ?? [];
    const [, types = ""] = /[rR]outeHandler<([^>]+)>\(/.exec(imported === undefined ? entry : read(imported)) ?? [];
    return [...types.matchAll(/"([^"]+)"/g)].map(([, route]) => route).toSorted();
  });
  const expected = apiRoutes.map(({ path, methods }) =>
    methods
      .filter((method) => method !== "HEAD")
      .map((method) => `${method} ${path}`)
      .toSorted(),
  );
  expect(typed).toEqual(expected);
});

test("route responses: a handler with another body than that of its route does not compile", () => {
  expectTypeOf<RouteBody<"GET /health">["status"]>().toEqualTypeOf<"ok">();
  const health = {
    status: "ok",
    captures: { status: "ok", checked_at: null },
    chromium: { version: "153.0.8010.0", age_days: 1 },
    lists: [],
  } as const;
  const { lists: _, ...incomplete } = health;
  routeHandler<"GET /health">(() => json(200, health));
  // @ts-expect-error: a field has another value
  routeHandler<"GET /health">(() => json(200, { ...health, status: "fine" }));
  // @ts-expect-error: a field is missing
  routeHandler<"GET /health">(() => json(200, incomplete));
  // @ts-expect-error: the body is that of another route
  routeHandler<"GET /api/v1/account">(() => json(200, health));
  // @ts-expect-error: a handler that names no route answers no JSON
  routeHandler(() => json(200, health));
});
