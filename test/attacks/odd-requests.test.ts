// Requests with values of a wrong kind at each place of each schema, to all routes with their handlers and real tables: none is a
// fault of the service.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildBlockingLayer } from "../../layers/blocking/build.ts";
import { openAccount } from "../../lib/service/account/open-account.ts";
import type { Route } from "../../lib/service/http/route.ts";
import { serveRoutes } from "../../lib/service/http/serve-routes.ts";
import { createOperatorSession, csrfTokenOf } from "../../lib/service/operator/operator-session.ts";
import { knownPaths, routes } from "../../lib/service/routes.ts";
import { createSession } from "../../lib/service/sessions/session-store.ts";
import { aContext, anEvent } from "../support/builders.ts";
import { provideStreams, type ReceivedResponse, receiving } from "../support/lambda-streams.ts";
import {
  manyOddPlaces,
  oddBodies,
  oddQueries,
  oddText,
  oneOddPlace,
  validOptions,
  worstJson,
} from "../support/odd-requests.ts";
import { IS_SLOW_RUN, sample, sampled } from "../support/slow-run.ts";
import { startTestResources, type TestResources } from "../support/test-resources.ts";

let resources: TestResources;
let handle: ReturnType<typeof receiving>;
/** What the functions have logged, as JSON. */
const logged: string[] = [];

beforeAll(async () => {
  resources = await startTestResources();
  const settings = {
    ...resources.env,
    STAGE_NAME: "test",
    PROCESS_ACCESS: "open", // else the process of the tests is closed
    SIGN_UP: "open",
    MAX_CONCURRENT_KEYLESS_CAPTURES: 1,
    MAX_WAITING_BULKS: 0, // nothing takes the captures that a bulk request would wait for
    WEBHOOK_SCHEDULE_GROUP: "webhooks",
    WEBHOOK_SCHEDULE_ROLE_ARN: "arn:aws:iam::123456789012:role/webhooks",
    WEBHOOK_DEAD_LETTER_QUEUE_ARN: "arn:aws:sqs:us-east-1:123456789012:dead",
    LOG_FOLDER: mkdtempSync(join(tmpdir(), "logs-")),
    LOG_GROUPS: "",
    RENDERER: "separate",
    DEAD_LETTERS_FUNCTION: "dead-letters", // never invoked, either
    WEBHOOK_DEAD_LETTER_QUEUE_URL: resources.env.WEBHOOK_QUEUE_URL,
    RENDERER_FUNCTION: "renderer", // never invoked: no request of this file captures
    BLOCKING_FILES: join(buildBlockingLayer(), "blocking"),
    CHROMIUM_FILES: "/opt/chromium",
    FONT_FILES: "/opt/fonts",
  };
  for (const [name, value] of Object.entries(settings)) process.env[name] = String(value);
  vi.stubGlobal("KNOWN_PATHS", JSON.stringify(knownPaths));
  vi.stubGlobal("FILTER_LISTS", "[]");
  provideStreams();
  handle = receiving(serveRoutes(routes));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await resources.close();
});
beforeEach(() => {
  for (const level of ["log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((entry) => void logged.push(JSON.stringify({ level, entry })));
});

/** Below the limits of requests of every account. */
const REQUESTS_PER_ACCOUNT = 60;

interface Sender {
  readonly key: string;
  readonly cookie: string;
  /** The token of an operator's session. */
  readonly operator: string;
  readonly sourceIp: string;
}

let sent = 0;
let sender: Promise<Sender> | undefined;

/** An account and a network that have sent few requests. */
function freshSender(): Promise<Sender> {
  if (sent++ % REQUESTS_PER_ACCOUNT === 0 || sender === undefined) sender = openSender();
  return sender;
}

async function openSender(): Promise<Sender> {
  const now = Date.now();
  const { ring, key } = await openAccount(resources.env.ACCOUNTS_TABLE, { plan: "max", label: "Odd", now });
  const facts = { account_id: ring.account.id, signed_in_with: "link", api_key_hash: null, user_agent: null } as const;
  const { token } = await createSession(resources.env.ACCOUNTS_TABLE, { ...facts, network: "192.0.2.0/24" }, now);
  const who = { name: "odd@host", email: null };
  const { token: operator } = await createOperatorSession(resources.env.ACCOUNTS_TABLE, who, now);
  const number = sent / REQUESTS_PER_ACCOUNT;
  return { key, cookie: `session=${token}`, operator, sourceIp: `198.51.${(number >> 8) & 255}.${number & 255}` };
}

interface Sent {
  readonly path?: string;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The response to a request, from a caller who may use the route. */
async function send(route: Route, { query, headers, body = "", path }: Sent) {
  const { method, path: template } = route;
  const { key, cookie, operator, sourceIp } = await freshSender();
  const ofOperator = { cookie: `operator=${operator}`, "x-csrf-token": csrfTokenOf(operator) };
  const credentials = isForPages(route)
    ? { ...(route.access === "operator" ? ofOperator : { cookie }), "sec-fetch-site": "same-origin" }
    : { authorization: `Bearer ${key}` };
  const all: Record<string, string> = {
    ...credentials,
    ...(method !== "GET" && { "content-type": JSON_TYPE }),
    ...headers,
  };
  const event = anEvent({
    httpMethod: method,
    resource: "/{proxy+}",
    pathParameters: { proxy: (path ?? template.replaceAll(/\{\w+\+?\}/g, "1")).slice(1) },
    headers: all,
    multiValueHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([k, each]) => [k, [...each]]))
      : null,
    body: body === "" ? null : body,
    requestContext: { identity: { sourceIp } } as never,
  });
  return handle(event, aContext());
}

/** Sends the requests of a list, and expects that none is a fault of the service. */
async function expectNoFault(route: Route, requests: readonly Sent[]) {
  const faults: unknown[] = [];
  for (const request of requests.filter((each) => launchesNone(route, each))) {
    logged.length = 0;
    const response = await send(route, request);
    const lines = logged.filter(
      (line) => /"blame":"us"|"level":"error"/.test(line) && !/chromium was not unpacked/.test(line),
    );
    if (isFault(response) || lines.length > 0)
      faults.push(
        [JSON.stringify(request), response.statusCode, response.body, ...lines].map((part) =>
          String(part).slice(0, 500),
        ),
      );
  }
  expect(faults).toEqual([]);
}

/** Those of a bulk request have the problems of each capture. */
const MAX_ERROR_CHARACTERS = 400_000;

/** True for a response of 5xx, unless it says that nothing is free, and for an error that no program could read. */
function isFault({ statusCode, body }: ReceivedResponse): boolean {
  if (statusCode < 400) return false;
  const { error, code, request_id, details = {}, jsonrpc } = JSON.parse(body);
  if (jsonrpc) return statusCode >= 500;
  const isReadable = typeof error === "string" && Number.isInteger(request_id) && body.length < MAX_ERROR_CHARACTERS;
  const isNamed = code !== "VALIDATION_ERROR" || Object.keys(details).length > 0;
  return !isReadable || !isNamed || (statusCode >= 500 && code !== "CAPACITY");
}

const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);
const isForPages = ({ access }: Route) => ["page", "session", "owner", "operator"].includes(access);
const takesOptions = routes.filter(({ entries }) => entries !== undefined);
const withBody = takesOptions.filter(({ method }) => method !== "GET");

/**
 * False for a request that needs Chromium or another function, which this process doesn't have: one without an address for visitors, a
 * capture that isn't only validated, and what the function of dead letters answers.
 */
function launchesNone({ path, entries = {} }: Route, { body = "", query }: Sent): boolean {
  if (path.startsWith("/operator/api/failed")) return false;
  if (path === "/try") return body.includes('"url":');
  return !("validate" in entries) || /"validate":(?!-?0\b|"")|^$/.test(body) || query?.["validate"]?.[0] === "true";
}

/**
 * The requests of a kind that this run sends to a route: all in the slow run, and one of so many in the ordinary one, others to
 * each route.
 */
function share<T>(requests: readonly T[], every: number, route: Route): T[] {
  const first = IS_SLOW_RUN ? 0 : routes.indexOf(route) % Math.min(every, Math.max(1, requests.length));
  return sample(requests.slice(first), every);
}

/** Of the requests with one odd value, the ordinary run sends one of so many. */
const SINGLE = 3001;

const LAST_DAY = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();

sampled(test, 6).each(named(withBody))("odd requests: what is changed of a body to %s is valid", async (_, route) => {
  for (const valid of validOptions(route)) {
    // What a schema can't say: a time of the last month, the name of the account, one of two options.
    const fix = { since: LAST_DAY, label: "Odd", token: "a" };
    const fixed = Object.entries(fix).filter(
      ([name]) => name in (route.entries ?? {}) && (name in valid || name === "token"),
    );
    if (route.path === "/try") continue;
    const { body } = await send(route, { body: JSON.stringify({ ...valid, ...Object.fromEntries(fixed) }) });
    expect(JSON.parse(body || "{}").details ?? {}).toEqual({});
  }
});

describe("odd requests: values of a wrong kind in a body are no fault of the service:", () => {
  sampled(test, 6).each(named(withBody))("%s", async (_, route) => {
    const single = share(oneOddPlace(route), SINGLE, route).map(({ body }) => ({ body: body() }));
    const many = [...manyOddPlaces(route, worstJson), ...share(manyOddPlaces(route), 141, route)].map((body) => ({
      body,
    }));
    await expectNoFault(route, [...many, ...single]);
  });
});

describe("odd requests: an object in place of an option is an error that names the option:", () => {
  test.each(named(withBody))("%s", async (_, route) => {
    for (const { option, body } of sample(
      oneOddPlace(route).filter(({ isWrongType }) => isWrongType),
      19,
    )) {
      const response = await send(route, { body: body() });
      const details = Object.keys(JSON.parse(response.body || "{}").details ?? {});
      if (!takesObjects.includes(option))
        expect([response.statusCode, details.some((name) => name.split(/[.[]/)[0] === option)]).toEqual([422, true]);
    }
  });
  /** Names and values of headers, and the options of all captures. */
  const takesObjects: readonly string[] = ["headers", "options"];
});

describe("odd requests: a body that is no object of options is no fault of the service:", () => {
  test.each(named(routes.filter(({ method }) => method !== "GET")))("%s", async (_, route) => {
    const types = [JSON_TYPE, FORM_TYPE, "application/vnd.api+json; charset=utf-8", "text/plain", ""];
    const requests = types.flatMap((type) => oddBodies.map((body) => ({ body, headers: { "content-type": type } })));
    await expectNoFault(route, share(requests, 83, route));
  });
});

describe("odd requests: odd texts in a query are no fault of the service:", () => {
  test.each(named(takesOptions.filter((route) => !isForPages(route))))("%s", async (_, route) => {
    await expectNoFault(
      route,
      share(oddQueries(route), SINGLE, route).map((query) => ({ query })),
    );
  });
});

describe("odd requests: odd texts in a form are no fault of the service:", () => {
  test.each(named(withBody.filter((route) => !isForPages(route))))("%s", async (_, route) => {
    const encode = (text: string) => encodeURIComponent(text.toWellFormed());
    const requests = share(oddQueries(route), SINGLE, route).map((query) => ({
      headers: { "content-type": FORM_TYPE },
      body: Object.entries(query)
        .flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`))
        .join("&"),
      query: "validate" in query ? { validate: ["true"] } : {},
    }));
    await expectNoFault(route, requests);
  });
});

describe("odd requests: an odd id in a path is no fault of the service:", () => {
  test.each(named(routes.filter(({ path }) => path.includes("{"))))("%s", async (_, route) => {
    const ids = oddText.filter((text) => text !== "").flatMap((text) => [text, encodeURIComponent(text), `1${text}`]);
    const requests = share(ids, 83, route).map((id) => ({ path: route.path.replaceAll(/\{\w+\+?\}/g, () => id) }));
    await expectNoFault(route, requests);
  });
});

/** Headers that the service reads. */
const headerNames = [
  ...["authorization", "cookie", "content-type", "content-encoding", "content-length", "idempotency-key", "origin"],
  ...["accept", "accept-encoding", "accept-language", "if-none-match", "if-range", "range", "sec-fetch-site", "host"],
  ...[
    "user-agent",
    "x-forwarded-for",
    "x-forwarded-proto",
    "referer",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
  ],
];

describe("odd requests: an odd header is no fault of the service:", () => {
  test.each(named(sample(routes, 9)))("%s", async (_, route) => {
    const [valid = {}] = validOptions(route);
    const body = route.method === "GET" ? "" : JSON.stringify(valid);
    const query = "validate" in valid ? { url: [String(valid["url"])], validate: ["true"] } : {};
    const values = [
      ...oddText,
      "Bearer ",
      "Bearer a b",
      `Bearer ${"a".repeat(8_000)}`,
      "session=",
      "session=a; session",
      "bytes=-",
      '"',
    ];
    const requests = headerNames.flatMap((name) =>
      values.map((value) => ({ body, query, headers: { [name]: value } })),
    );
    await expectNoFault(route, share(requests, 151, route));
  });
});

describe("odd requests: odd parameters of a signed link are no fault of the service:", () => {
  test("a capture", async () => {
    const route = routes.find(({ method, path }) => method === "GET" && path === "/api/v1/screenshot") as Route;
    const valid = { url: ["https://example.com/"], key_id: ["1"], expires: ["1"], signature: ["0".repeat(64)] };
    const changed = Object.keys(valid).flatMap((name) =>
      oddText.flatMap((text) => [
        { ...valid, [name]: [text] },
        { ...valid, [name]: [text, text] },
      ]),
    );
    const requests = sample(changed, 11).map((query) => ({
      query: { validate: ["true"], ...query },
      headers: { authorization: "" },
    }));
    await expectNoFault(route, requests);
  });

  test("a stored result", async () => {
    const route = routes.find(({ path }) => path.startsWith("/storage/")) as Route;
    const changed = oddText.flatMap((text) => [
      { e: [text], s: ["0"] },
      { e: ["1"], s: [text] },
      { e: [text, text], s: [text] },
    ]);
    await expectNoFault(
      route,
      sample(changed, 11).map((query) => ({ query, path: "/storage/1d/a.png" })),
    );
  });
});
