// The shell around every handler: what it reads of a request, and what every answer carries.
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ApiRequest } from "../../../lib/service/http/api-request.ts";
import { json } from "../../../lib/service/http/response.ts";
import { idTime } from "../../../lib/service/platform/ids.ts";
import { aContext, anEvent } from "../../support/builders.ts";
import { receivingApiHandler } from "../../support/lambda-streams.ts";

const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, "log").mockImplementation((entry) => void lines.push(JSON.parse(JSON.stringify(entry))));
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The request that a handler sees of an event. */
async function requestOf(event: Parameters<typeof anEvent>[0]): Promise<ApiRequest> {
  const seen: ApiRequest[] = [];
  const handler = receivingApiHandler((request) => {
    seen.push(request);
    return json(200, {});
  });
  const { body } = await handler(anEvent(event), aContext());
  const [request] = seen;
  if (!request) throw new Error(`The handler was not called: ${body}`);
  return request;
}

describe("a request", () => {
  test("is read from the event", async () => {
    const request = await requestOf({
      httpMethod: "POST",
      path: "/storage/a/b",
      resource: "/storage/{key+}",
      pathParameters: { key: "a/b" },
      headers: { "Content-Type": "application/json", AUTHORIZATION: "Bearer k" },
      multiValueQueryStringParameters: { a: ["1", "2"], b: [""] },
      body: '{"c":[1,{"d":null}]}',
    });

    expect(request).toEqual({
      method: "POST",
      path: "/storage/a/b",
      resource: "/storage/{key+}",
      cookies: [],
      sessionToken: undefined,
      isPrivate: false,
      keepPrivate: expect.any(Function),
      pathParameters: { key: "a/b" },
      headers: { "content-type": "application/json", authorization: "Bearer k" },
      query: [
        ["a", "1"],
        ["a", "2"],
        ["b", ""],
      ],
      body: { c: [1, { d: null }] },
      bodyText: '{"c":[1,{"d":null}]}',
      sourceIp: "192.0.2.1",
      requestId: expect.any(Number),
      afterResponse: expect.any(Function),
      responded: expect.any(Function),
      receivedAt: expect.any(Number),
      startedAt: expect.any(Number),
      responseHeaders: new Map(),
    });
  });

  test("can be almost empty", async () => {
    const headers = null as unknown as Record<string, string>; // as the console's test button sends it
    expect(await requestOf({ headers })).toMatchObject({ headers: {}, query: [], pathParameters: {}, body: null });
  });

  test("has an id of the time at which it came", async () => {
    const { requestId, receivedAt } = await requestOf({});
    expect(idTime(requestId)).toBe(receivedAt);
  });

  test.each([
    ["application/json", "null", null],
    ["APPLICATION/JSON;charset=UTF-8", '{"a":1}', { a: 1 }],
    ["application/x-www-form-urlencoded", "a=1", "a=1"],
    ["text/plain", '{"a":1}', '{"a":1}'],
  ])("of the type %s has the body %s", async (type, body, read) => {
    expect((await requestOf({ httpMethod: "POST", headers: { "content-type": type }, body })).body).toEqual(read);
  });

  test("that is GET with a JSON type and no body is read", async () => {
    expect((await requestOf({ headers: { "content-type": "application/json" } })).body).toBeNull();
  });
});

describe("an answer", () => {
  const ok = receivingApiHandler(() => json(200, { a: "ü" }, { "X-Own": "1" }));

  test("carries what every answer carries, and its own headers", async () => {
    const { headers, statusCode, body } = await ok(anEvent(), aContext());
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: '{"a":"ü"}' });
    expect(headers).toEqual({
      "Content-Length": "10",
      Vary: "Accept-Encoding",
      "X-Request-Id": expect.stringMatching(/^\d{14,16}$/),
      "X-Response-Time": expect.stringMatching(/^\d+$/),
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": expect.stringContaining("X-Request-Id"),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Own": "1",
    });
  });

  test.each([
    ["https://api.example.com", "max-age=31536000"],
    ["http://127.0.0.1:3000", undefined],
  ])("of a service at %s has the header Strict-Transport-Security: %s", async (baseUrl, value) => {
    vi.stubEnv("BASE_URL", baseUrl);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { headers } = await ok(anEvent(), aContext());
    expect(headers?.["Strict-Transport-Security"]).toBe(value);
  });

  test("exposes to pages of other sites every header that is not exposed anyway", async () => {
    const { headers } = await ok(anEvent(), aContext());
    const exposed = String(headers?.["Access-Control-Expose-Headers"]).split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining([
        "Content-Disposition",
        "ETag",
        "Location",
        "Server-Timing",
        "X-Cache",
        "X-Final-Url",
        "X-Request-Id",
        "X-Response-Time",
      ]),
    );
  });

  test("without a body has an empty one", async () => {
    const { statusCode, body } = await receivingApiHandler(() => ({ status: 204 }))(anEvent(), aContext());
    expect({ statusCode, body }).toEqual({ statusCode: 204, body: "" });
  });

  test("of bytes is sent as it is", async () => {
    const handler = receivingApiHandler(async () => ({ status: 200, body: Buffer.from([0, 255, 128]) }));
    expect((await handler(anEvent(), aContext())).bytes).toEqual(Buffer.from([0, 255, 128]));
  });

  test("is logged in one line, without headers, query or body", async () => {
    const event = anEvent({
      headers: { Authorization: "Bearer secret" },
      multiValueQueryStringParameters: { access_key: ["secret"] },
    });
    const { headers } = await ok(event, aContext());
    expect(lines).toEqual([
      {
        event: "request",
        request_id: Number(headers?.["X-Request-Id"]),
        method: "GET",
        route: "/api/v1/usage",
        path: "/api/v1/usage",
        status: 200,
        milliseconds: expect.any(Number),
      },
    ]);
  });
});

test("a request is logged with the start of its user agent", async () => {
  await requestOf({ headers: { "User-Agent": `"curl"${"x".repeat(5_000)}` } });
  expect(lines).toEqual([expect.objectContaining({ user_agent: `"curl"${"x".repeat(294)}` })]);
});

test("two requests of one handler know nothing of each other", async () => {
  const handler = receivingApiHandler(async ({ query }) => json(200, query));
  const events = ["1", "2"].map((a) => anEvent({ multiValueQueryStringParameters: { a: [a] } }));
  const answers = await Promise.all(events.map((event) => handler(event, aContext())));
  expect(answers.map(({ body }) => body)).toEqual(['[["a","1"]]', '[["a","2"]]']);
});
