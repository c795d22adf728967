// Routes as values: how requests are dispatched, parsed, and ended at their deadline, and what does not compile.
import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defineRoute, type RouteCall } from "../../../lib/service/http/define-route.ts";
import { json } from "../../../lib/service/http/response.ts";
import type { Route } from "../../../lib/service/http/route.ts";
import { serveRoutes } from "../../../lib/service/http/serve-routes.ts";
import { aContext, anEvent } from "../../support/builders.ts";
import { provideStreams, receiving } from "../../support/lambda-streams.ts";

beforeEach(() => {
  provideStreams();
  vi.stubGlobal("KNOWN_PATHS", JSON.stringify([["/tests/{id}", ["GET", "HEAD", "DELETE"], ["GET", "HEAD", "DELETE"]]]));
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const Answer = v.object({ answer: v.string() });
const place = { path: "/tests/{id}", functionName: "web", access: "public" } as const;
const responses = { 200: { description: "The answer.", json: [Answer] } } as const;
const answers = (answer: string) => async () => () => json(200, { answer });

/** The response of these routes to a request, as API Gateway sends it for a resource with a prefix. */
async function request(routes: readonly Route[], httpMethod: string, path = "7") {
  const event = anEvent({ httpMethod, resource: "/tests/{proxy+}", pathParameters: { proxy: path } });
  return receiving(serveRoutes(routes))(event, aContext());
}

test("routes: each method of a path has its own handler, and HEAD has that of GET without a body", async () => {
  const routes = [
    defineRoute({ ...place, method: "GET", responses, handler: answers("read") }),
    defineRoute({ ...place, method: "DELETE", responses, handler: answers("deleted") }),
  ];
  const bodies = await Promise.all(
    ["GET", "DELETE", "HEAD"].map(async (method) => (await request(routes, method)).body),
  );
  expect(bodies).toEqual(['{"answer":"read"}', '{"answer":"deleted"}', ""]);
});

test("routes: a response that takes longer than the deadline of its route ends as INTERNAL_ERROR, before the function does", async () => {
  const slow = { ...place, method: "GET", responses, handler: async () => () => new Promise<never>(() => {}) } as const;
  const { statusCode, body } = await request([defineRoute({ ...slow, deadlineSeconds: 1.55 })], "GET");
  expect([statusCode, JSON.parse(body).code]).toEqual([500, "INTERNAL_ERROR"]);
});

test("routes: the deadline is 15 seconds unless the route has another one", () => {
  const quick = defineRoute({ ...place, method: "GET", responses, handler: answers("") });
  const slow = defineRoute({ ...place, method: "GET", deadlineSeconds: 60, responses, handler: answers("") });
  expect([quick.deadlineSeconds, slow.deadlineSeconds]).toEqual([15, 60]);
});

test("routes: the code of a route is loaded for its first request", async () => {
  const load = vi.fn(answers("read"));
  const routes = [defineRoute({ ...place, method: "GET", responses, handler: load })];
  serveRoutes(routes);
  expect(load).not.toHaveBeenCalled();
  await request(routes, "GET");
  expect(load).toHaveBeenCalledOnce();
});

test("routes: a handler gets the variables of its path, of which API Gateway knows the prefix alone", async () => {
  const Variables = v.object({ answer: v.string() });
  const route = defineRoute({
    ...place,
    method: "GET",
    responses: { 200: { description: "The answer.", json: [Variables] } },
    handler:
      async () =>
      ({ request: { pathParameters, resource } }) =>
        json(200, { answer: `${pathParameters["id"]} of ${resource}` }),
  });
  expect((await request([route], "GET", "a%2Fb")).body).toBe('{"answer":"a%2Fb of /tests/{id}"}');
});

test("routes: a fixed path comes before one with a variable, wherever they are in the list", async () => {
  const variable = defineRoute({ ...place, method: "GET", responses, handler: answers("variable") });
  const fixed = defineRoute({ ...place, path: "/tests/all", method: "GET", responses, handler: answers("fixed") });
  expect((await request([variable, fixed], "GET", "all")).body).toBe('{"answer":"fixed"}');
  expect((await request([variable, fixed], "GET", "7")).body).toBe('{"answer":"variable"}');
});

test("routes: another method of a path is refused with those that it takes, and another path is not found", async () => {
  const routes = [defineRoute({ ...place, method: "GET", responses, handler: answers("read") })];
  const refused = await request(routes, "PATCH");
  expect([refused.statusCode, refused.headers?.["Allow"]]).toEqual([405, "GET, HEAD, DELETE, OPTIONS"]);
  expect((await request(routes, "GET", "7/none")).statusCode).toBe(404);
  const preflight = await request(routes, "OPTIONS");
  expect([preflight.statusCode, preflight.headers?.["Access-Control-Allow-Methods"]]).toEqual([
    204,
    "GET, HEAD, DELETE",
  ]);
});

test("routes: text is compressed, unless it has secrets", async () => {
  const long = "x".repeat(3_000);
  const event = anEvent({
    httpMethod: "GET",
    resource: place.path,
    pathParameters: { id: "7" },
    headers: { "accept-encoding": "br" },
  });
  const encodings = [{}, { hasSecrets: true } as const].map(async (secrets) => {
    const route = defineRoute({ ...place, ...secrets, method: "GET", responses, handler: answers(long) });
    return (await receiving(serveRoutes([route]))(event, aContext())).headers?.["Content-Encoding"];
  });
  expect(await Promise.all(encodings)).toEqual(["br", undefined]);
});

test("routes: a handler that does not fit its route does not compile", () => {
  const get = { ...place, method: "GET", responses } as const;
  defineRoute({ ...get, handler: answers("as the schema says") });
  // @ts-expect-error: a field has another type
  defineRoute({ ...get, handler: async () => () => json(200, { answer: 1 }) });
  // @ts-expect-error: a field is missing
  defineRoute({ ...get, handler: async () => () => json(200, {}) });
  // @ts-expect-error: the response has no JSON
  defineRoute({ ...get, responses: { 204: { description: "Done." } }, handler: answers("text") });

  const done = { ...place, method: "DELETE", responses: { 204: { description: "Done." } } } as const;
  const byOwner = async () => (_: RouteCall<"owner">) => ({ status: 204 });
  defineRoute({ ...done, access: "owner", handler: byOwner });
  // @ts-expect-error: a session that began with an API key is not the owner's
  defineRoute({ ...done, access: "session", handler: byOwner });
  // @ts-expect-error: the handler reads a variable that the route doesn't have
  defineRoute({ ...done, handler: async () => (_: RouteCall<"public", unknown, "BASE_URL">) => ({ status: 204 }) });
  const byKey = { ...done, idempotency: { description: "" }, handler: async () => () => ({ status: 204 }) } as const;
  // @ts-expect-error: only callers with an API key take an idempotency key
  defineRoute({ ...byKey, access: "session" });
});
