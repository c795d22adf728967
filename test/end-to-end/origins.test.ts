// Which routes pages of other sites can send requests to: for each route of the service, as browsers and as programs send them.
import { request as httpRequest } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Route } from "../../lib/service/http/route.ts";
import { knownPaths, routes } from "../../lib/service/routes.ts";
import { openClient } from "../support/client.ts";
import { signIn } from "../support/signed-in.ts";
import { IS_SLOW_RUN } from "../support/slow-run.ts";

const { baseUrl } = inject("service");
const { port } = new URL(baseUrl);
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

/** The routes for the service's own origin. All others are for every origin: their callers have an API key or a signed link, or need nothing. */
const ownRoutes = [
  "PATCH /api/v1/account/settings",
  "POST /session",
  "GET /session",
  "DELETE /session",
  "GET /sessions",
  "DELETE /sessions",
  "DELETE /sessions/{id}",
  "GET /sign-in",
  "POST /sign-in/code",
  "POST /sign-in/code/verify",
  "POST /session/account/email/current",
  "POST /session/account/email/current/verify",
  "POST /session/account/email",
  "POST /session/account/email/verify",
  "POST /session/account/email/undo",
  "POST /session/not-me",
  "POST /session/account/exports",
  "GET /session/account/exports",
  "GET /session/account/exports/{id}",
  "DELETE /session/account",
  "GET /session/account/deletions/{id}",
  "POST /mcp",
  "POST /try",
  "GET /operator/api/sign-in",
  "POST /operator/api/sign-in/code",
  "POST /operator/api/sign-in/code/verify",
  "POST /operator/api/sign-in/link",
];
const isOwn = (route: { readonly method: string; readonly path: string }) => ownRoutes.includes(nameOf(route));

let key: string;
let cookie: string;
beforeAll(async () => {
  const client = await openClient();
  ({ key } = client);
  ({ cookie } = await signIn(client.accountId));
});

/** The headers that a browser sends for a page of another site, and those that say so in other ways. */
const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["of another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["of another site, in an older browser", { Origin: "https://evil.example" }],
  ["of another subdomain", { Origin: "http://sub.127.0.0.1.example", "Sec-Fetch-Site": "same-site" }],
  ["without an origin", { Origin: "null" }],
  ["of another port", { Origin: "http://127.0.0.1:1" }],
  ["of another local name and port", { Origin: "http://localhost:1" }],
  ["of this host over another scheme", { Origin: `chrome-extension://127.0.0.1:${port}` }],
  ["whose origin begins as this one", { Origin: `${baseUrl}.evil.example` }],
  ["whose name was pointed at the service", { Origin: `http://evil.example:${port}`, Host: `evil.example:${port}` }],
  ["whose origin contradicts what it says", { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" }],
];

/** The kinds that a route is asked with: all in the slow run, and three in the ordinary one, from route to route the next three. */
const kindsFor = (index: number) =>
  IS_SLOW_RUN ? foreign : [...foreign, ...foreign].slice((3 * index) % foreign.length).slice(0, 3);

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly cors: string | undefined;
}

/** Sends a request as it is: `fetch` sends no `Host` of its own. */
function send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${baseUrl}${path}`, { method, headers }, async (response) => {
      const answer = (await readJson(response).catch(() => ({}))) as { code?: string };
      const cors = response.headers["access-control-allow-origin"];
      resolve({ status: response.statusCode ?? 0, code: answer.code, cors });
    });
    sent.once("error", reject).end(body);
  });
}

/** A request to a route with nothing right in it but its credentials. */
function sendTo({ method, path }: { method: string; path: string }, headers: Readonly<Record<string, string>>) {
  const address = path.replace(/\{\w+\+\}/, "a/b").replaceAll(/\{\w+\}/g, "7");
  return method === "GET"
    ? send(method, address, headers)
    : send(method, address, { "Content-Type": "application/json", "Content-Length": "2", ...headers }, "{}");
}

test("origins: each route for the service's own origin is a route", () => {
  expect(routes.filter(isOwn).map(nameOf).toSorted()).toEqual(ownRoutes.toSorted());
});

test.each(
  routes.map((route, index) => [nameOf(route), isOwn(route) ? "refuses" : "answers", route, kindsFor(index)] as const),
)("origins: %s %s pages of other sites that send an API key", async (_, does, route, kinds) => {
  for (const [what, headers] of kinds) {
    const answer = await sendTo(route, { ...headers, Authorization: `Bearer ${key}` });
    if (does === "refuses") expect(answer, what).toEqual({ status: 403, code: "FORBIDDEN", cors: undefined });
    else expect(answer, what).toMatchObject({ status: expect.not.toBeOneOf([403, 500]), cors: "*" });
  }
});

/** Routes that read no cookie of a session. */
const publicRoutes = ["GET /health", "GET /api/v1/openapi.json", "GET /storage/{key+}"];
const readsNoSession = (route: Route) => publicRoutes.includes(nameOf(route)) || route.access === "operator";

test.each(
  routes
    .filter((route) => !readsNoSession(route))
    .map((route, index) => [nameOf(route), route, kindsFor(index)] as const),
)("origins: %s refuses pages of other sites whose requests have the cookie of a session", async (_, route, kinds) => {
  for (const [what, headers] of kinds) {
    const answer = await sendTo(route, { ...headers, Cookie: cookie });
    expect(answer, what).toEqual({ status: 403, code: "FORBIDDEN", cors: undefined });
  }
});

describe("origins: the service's own pages and programs get past this check:", () => {
  const own = routes.filter(isOwn);

  test.each([
    ["a page at the base URL", { Origin: baseUrl, "Sec-Fetch-Site": "same-origin" }],
    ["one in an older browser", { Origin: baseUrl }],
    ["one at localhost", { Origin: `http://localhost:${port}`, Host: `localhost:${port}` }],
  ])("%s", async (_, headers) => {
    const codes = await Promise.all(own.map(async (route) => [nameOf(route), (await sendTo(route, headers)).code]));
    expect(codes.filter(([, code]) => code === "FORBIDDEN")).toEqual([]);
  });

  test("a program with an API key, at MCP", async () => {
    expect((await sendTo({ method: "POST", path: "/mcp" }, { Authorization: `Bearer ${key}` })).code).not.toBe(
      "FORBIDDEN",
    );
    expect((await sendTo({ method: "POST", path: "/mcp" }, {})).code).toBe("UNAUTHORIZED");
  });
});

test.each(knownPaths.map(([path, , crossOrigin]) => [path, crossOrigin.join(", ")]))(
  "origins: the preflight of %s allows %j",
  async (path, methods) => {
    const address = path.replace(/\{\w+\+?\}/g, "7");
    const response = await fetch(`${baseUrl}${address}`, {
      method: "OPTIONS",
      headers: { Origin: "https://app.example", "Access-Control-Request-Method": "POST" },
    });
    const [origin, allowed] = ["origin", "methods"].map((name) => response.headers.get(`access-control-allow-${name}`));
    expect([response.status, origin, allowed]).toEqual(methods === "" ? [204, null, null] : [204, "*", methods]);
  },
);
