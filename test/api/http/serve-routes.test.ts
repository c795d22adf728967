// Routes as values: how requests are dispatched, parsed, and ended at their deadline, and what does not compile.
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defineRoute, type RouteCall } from "../../../lib/api/http/define-route.ts";
import { json } from "../../../lib/api/http/response.ts";
import type { Route } from "../../../lib/api/http/route.ts";
import { serveRoutes } from "../../../lib/api/http/serve-routes.ts";
import { aContext, anEvent } from "../../support/builders.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const Answer = v.object({ answer: v.string() });
const place = { path: "/tests/{id}", functionName: "health", access: "public" } as const;
const responses = { 200: { description: "The answer.", json: [Answer] } } as const;
const answers = (answer: string) => async () => () => json(200, { answer });

/** The response of these routes to a request for `place`. */
async function request(routes: readonly Route[], httpMethod: string): Promise<APIGatewayProxyResult> {
  const handler = (await serveRoutes(routes)) as (
    event: APIGatewayProxyEvent,
    context: Context,
  ) => Promise<APIGatewayProxyResult>;
  return handler(anEvent({ httpMethod, resource: place.path }), aContext());
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

test("routes: the code of all routes is loaded before the first request", async () => {
  const load = vi.fn(answers("read"));
  await serveRoutes([defineRoute({ ...place, method: "GET", responses, handler: load })]);
  expect(load).toHaveBeenCalledOnce();
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
