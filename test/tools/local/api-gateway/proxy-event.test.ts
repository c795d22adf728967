// The event of a Lambda proxy integration, field by field.
import { expect, test } from "vitest";
import { proxyEvent, type ReceivedRequest } from "../../../../lib/tools/local/api-gateway/proxy-event.ts";

const method = {
  path: "/items/{id}",
  resourceId: "r1",
  httpMethod: "ANY",
  functionArn: "arn",
  isStreamed: false,
  timeoutMs: 1_000,
};

test("proxy event: has all fields that API Gateway sends", () => {
  const event = eventOf({
    httpMethod: "POST",
    url: "/items/a%20b?tag=x&tag=y+z&empty=&name=%C3%A4",
    rawHeaders: ["Host", "api.test", "X-Tag", "1", "User-Agent", "agent", "X-Tag", "2", "Connection", "keep-alive"],
    body: Buffer.from('{"ä":1}'),
  });

  expect(event).toMatchObject({
    resource: "/items/{id}",
    path: "/items/a%20b",
    httpMethod: "POST",
    headers: { Host: "api.test", "X-Tag": "2", "X-Forwarded-For": "10.0.0.9", "X-Forwarded-Proto": "http" },
    multiValueHeaders: { Host: ["api.test"], "X-Tag": ["1", "2"] },
    queryStringParameters: { tag: "y z", empty: "", name: "ä" },
    multiValueQueryStringParameters: { tag: ["x", "y z"], empty: [""], name: ["ä"] },
    pathParameters: { id: "a%20b" },
    stageVariables: null,
    body: '{"ä":1}',
    isBase64Encoded: false,
    requestContext: {
      stage: "live",
      path: "/live/items/a%20b",
      resourcePath: "/items/{id}",
      requestId: "request-1",
      requestTime: "20/Nov/2026:13:00:00 +0000",
      requestTimeEpoch: Date.UTC(2026, 10, 20, 13),
      identity: { sourceIp: "10.0.0.9", userAgent: "agent" },
    },
  });
  expect(event.headers).not.toHaveProperty("Connection");
});

test("proxy event: has null for missing parts of a request", () => {
  const event = eventOf({ url: "/items/1" });

  expect([event.queryStringParameters, event.multiValueQueryStringParameters, event.body]).toEqual([null, null, null]);
});

test("proxy event: appends the client address to X-Forwarded-For", () => {
  const event = eventOf({ rawHeaders: ["X-Forwarded-For", "192.0.2.1"] });

  expect(event.headers["X-Forwarded-For"]).toBe("192.0.2.1, 10.0.0.9");
});

test("proxy event: accepts any parameter name, including __proto__", () => {
  const event = eventOf({ url: "/items/1?__proto__=a&constructor=b" });

  expect(JSON.parse(JSON.stringify(event.queryStringParameters))).toEqual(
    JSON.parse('{"__proto__":"a","constructor":"b"}'),
  );
});

function eventOf(request: Partial<ReceivedRequest>) {
  const defaults = { httpMethod: "GET", url: "/items/1", rawHeaders: [], body: Buffer.alloc(0) };
  return proxyEvent({
    request: { ...defaults, sourceIp: "10.0.0.9", localPort: 3000, ...request },
    match: { method, pathParameters: { id: request.url ? (request.url.split(/[/?]/)[2] ?? "") : "1" } },
    api: { id: "api", stage: "live" },
    requestId: "request-1",
    now: new Date(Date.UTC(2026, 10, 20, 13)),
  });
}
