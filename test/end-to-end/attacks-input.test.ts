// Raw HTTP requests that no client library sends, to the running service: none gets a 5xx or is misread.
import { connect } from "node:net";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, openClient } from "../support/client.ts";

const { baseUrl } = inject("service");
const { hostname, port, host } = new URL(baseUrl);
const FORM = "Content-Type: application/x-www-form-urlencoded";
const JSON_TYPE = "Content-Type: application/json";

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

interface Heard {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** What is answered to these bytes, until the server closes the connection. */
async function say(...parts: readonly (string | Buffer)[]): Promise<Heard> {
  const socket = connect({ host: hostname, port: Number(port) });
  const heard: Buffer[] = [];
  socket.on("data", (chunk) => heard.push(chunk)).on("error", () => undefined);
  for (const part of parts) socket.write(part, typeof part === "string" ? "latin1" : undefined);
  await new Promise((closed) => socket.once("close", closed));
  const [head = "", ...rest] = Buffer.concat(heard).toString().split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const isChunked = /^transfer-encoding: chunked/im.test(head);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: isChunked ? joined(body) : body };
}

/** The chunks of an answer; none of ours has a line break inside. */
function joined(chunks: string): string {
  return chunks
    .split("\r\n")
    .filter((_, index) => index % 2 === 1)
    .join("");
}

function lines(first: string, ...headers: readonly string[]): string {
  return `${[first, ...(headers.some((each) => /^host:/i.test(each)) ? [] : [`Host: ${host}`]), "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;
}

const lengthOf = (bytes: number | string) => `Content-Length: ${bytes}`;

const authorized = () => `Authorization: Bearer ${client.key}`;

/** A capture in the background, whose answer shows links. */
const asking = (target: string, ...headers: readonly string[]) => {
  const body = `html=a&async=true`;
  return say(lines(`POST ${target} HTTP/1.1`, authorized(), FORM, `Content-Length: ${body.length}`, ...headers), body);
};

describe("hostile input: links lead to the service, regardless of the request's Host header:", () => {
  test.each([
    ["a Host of another service, with a port", ["Host: evil.example:1@127.0.0.1"]],
    [
      "headers of proxies",
      [
        ...["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https", "Forwarded: host=evil.example"],
        ...["X-Original-URL: https://evil.example/", "X-Rewrite-URL: /health", "X-Forwarded-Prefix: //evil.example"],
      ],
    ],
  ])("%s", async (_, headers) => {
    const { status, head, body } = await asking("/api/v1/screenshot", ...headers);
    const { request_id, status_url } = JSON.parse(body);
    expect([status, status_url]).toEqual([202, `${baseUrl}/api/v1/screenshot/${request_id}`]);
    expect(/^location: (.*)$/im.exec(head)?.[1]).toBe(new URL(status_url).pathname);
    expect(head + body).not.toContain("evil");
  });
});

test("hostile input: the method is that of the request line, not one of a header, the query, or a form", async () => {
  for (const header of ["X-HTTP-Method-Override: DELETE", "X-HTTP-Method: PUT", "X-Method-Override: POST"])
    expect([header, (await say(lines("GET /health HTTP/1.1", header))).status]).toEqual([header, 200]);
  expect((await say(lines("GET /health?_method=DELETE HTTP/1.1"))).status).toBe(200);
  expect((await asking("/api/v1/screenshot?_method=GET")).status).toBe(422);
});

describe("hostile input: a request is rejected with the reason:", () => {
  test.each([
    ["TRACE, which would repeat the key", "TRACE /api/v1/screenshot HTTP/1.1", 405],
    ["a method of WebDAV", "PROPFIND /api/v1/screenshot HTTP/1.1", 405],
    ["an address of another server", "GET http://evil.example/api/v1/usage HTTP/1.1", 404],
    ["NUL in a path", "GET /api/v1/%00 HTTP/1.1", 404],
    ["a path that goes up", "GET /api/v1/keys/../usage HTTP/1.1", 404],
    ["an encoded path that goes up", "GET /api/v1/keys/%2e%2e%2fusage HTTP/1.1", 404],
    ["two slashes", "GET //evil.example/api/v1/usage HTTP/1.1", 404],
    ["a result above its folder", "GET /storage/../../health?e=1&s=a HTTP/1.1", 404],
    ["an id that is none", "GET /api/v1/screenshot/1%23JOB HTTP/1.1", 404],
  ])("%s", async (_, first, expected) => {
    const { status, body } = await say(lines(first, authorized()));
    expect(status).toBe(expected);
    expect(JSON.parse(body)).toMatchObject({ code: expect.any(String) });
    expect(JSON.parse(body)).toHaveProperty("request_id");
    expect(body).not.toContain(client.key);
  });

  test("a preflight of any site, which learns only what may be sent", async () => {
    const { status, head } = await say(
      lines(
        "OPTIONS /api/v1/keys HTTP/1.1",
        "Origin: null",
        "Access-Control-Request-Method: DELETE",
        "Access-Control-Request-Headers: x-a\x09",
      ),
    );
    expect([status, /^access-control-allow-origin: (.*)$/im.exec(head)?.[1]]).toEqual([204, "*"]);
    expect(head).not.toMatch(/allow-credentials|x-a\b/i);
  });
});

describe("hostile input: an ambiguous request (request smuggling) is rejected:", () => {
  const smuggled = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";

  test.each([
    ["two lengths", ["Content-Length: 0", `Content-Length: ${smuggled.length}`]],
    ["a length and chunks", [`Content-Length: ${smuggled.length}`, "Transfer-Encoding: chunked"]],
    ["chunks by another name", ["Transfer-Encoding: xchunked"]],
    ["a length that is no number", ["Content-Length: +1"]],
    ["a length below nothing", ["Content-Length: -1"]],
    ["a blank before the colon", ["Content-Length : 5"]],
    ["a header on two lines", ["X-A: b\r\n c: d"]],
  ])("%s", async (_, headers) => {
    const { status, body } = await say(
      lines("POST /api/v1/screenshot HTTP/1.1", authorized(), FORM, ...headers),
      smuggled,
    );
    expect(status).toBe(400);
    expect(body).not.toContain("HTTP/1.1");
  });

  test("bytes beyond Content-Length are discarded", async () => {
    const { status, body } = await say(
      lines("POST /api/v1/screenshot HTTP/1.1", authorized(), FORM, "Content-Length: 5"),
      `a=1&b${smuggled}`,
    );
    expect([[400, 422].includes(status), body.includes("HTTP/1.1")]).toEqual([true, false]);
  });
});

describe("hostile input: a body", () => {
  const post = (type: string, body: Buffer | string, ...headers: string[]) =>
    say(
      lines(
        "POST /api/v1/screenshot HTTP/1.1",
        authorized(),
        type,
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...headers,
      ),
      Buffer.from(body),
    );
  const LARGEST = 6 * 2 ** 20;
  const html = (characters: number) => `{"x":"${"a".repeat(characters)}"}`;

  test.each([
    ["a little below what a function takes", html(LARGEST - 20_000), 422],
    ["a little above", html(LARGEST), 413],
    [
      "of quotes, each of which becomes two bytes on its way",
      html(0).replace('""', JSON.stringify('"'.repeat(LARGEST / 3))),
      413,
    ],
    ["beyond what the gateway takes", html(10 * 2 ** 20), 413],
  ])("%s gets a JSON response", async (_, body, expected) => {
    const answer = await post(JSON_TYPE, body);
    expect([answer.status, typeof JSON.parse(answer.body).code]).toEqual([expected, "string"]);
  });

  test("in chunks with extensions is parsed", async () => {
    const request = lines("POST /api/v1/screenshot HTTP/1.1", authorized(), FORM, "Transfer-Encoding: chunked");
    const answer = await say(request, "5;a=b\r\na=1&b\r\n0\r\n\r\n");
    expect([answer.status, Object.keys(JSON.parse(answer.body).details).sort()]).toEqual([422, ["a", "b", "url"]]);
  });

  test.each<[string, string, Buffer, ...string[]]>([
    ["of é in ISO-8859-1", JSON_TYPE, Buffer.from('{"html":"caf\xe9"}', "latin1")],
    ["of é in a form in ISO-8859-1", FORM, Buffer.from("html=caf\xe9", "latin1")],
    ["that is packed", JSON_TYPE, Buffer.from([0x1f, 0x8b, 8, 0, 0xff]), "Content-Encoding: gzip"],
  ])("%s is rejected, not captured as other text", async (_, type, body, ...headers) => {
    const answer = await post(type, body, ...headers);
    const [status, code] = headers.length > 0 ? [415, "UNSUPPORTED_MEDIA_TYPE"] : [400, "BAD_REQUEST"];
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code]);
  });
});

test.each(["html=caf%E9", "html=100%"])(
  "hostile input: the query %s is rejected, not captured as other text",
  async (query) => {
    const { status, body } = await say(lines(`GET /api/v1/screenshot?${query} HTTP/1.1`, authorized()));
    expect([status, JSON.parse(body).code]).toEqual([400, "BAD_REQUEST"]);
  },
);

describe("hostile input: a request that no function handles gets JSON with the reason and an id:", () => {
  test.each<[what: string, status: number, message: RegExp, ...parts: string[]]>([
    ["an address of 20,000 bytes", 431, /10,240 bytes/, lines(`GET /health?${"a".repeat(20_000)} HTTP/1.1`)],
    ["a megabyte of headers", 431, /10,240 bytes/, lines("GET /health HTTP/1.1", `X-A: ${"a".repeat(1_000_000)}`)],
    ["what is no HTTP", 400, /not valid HTTP/, "HELLO\r\n\r\n"],
    ["a request without a Host", 400, /not valid HTTP/, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["two lengths", 400, /not valid HTTP/, lines("POST /api/v1/screenshot HTTP/1.1", ...["0", "1"].map(lengthOf))],
    ["an expectation", 417, /Expect/, lines("GET /health HTTP/1.1", "Expect: the-unexpected")],
    ["a query with %zz", 400, /'%'/, lines("GET /health?a=%zz HTTP/1.1")],
    [
      "a body of 7 MB",
      413,
      /6,291,456 bytes/,
      lines("POST /api/v1/screenshot HTTP/1.1", JSON_TYPE, lengthOf(7_000_000)),
      "a".repeat(7_000_000),
    ],
  ])("%s", async (_, expected, message, ...parts) => {
    const { status, head, body } = await say(...parts);
    expect([status, JSON.parse(body)]).toEqual([
      expected,
      {
        error: expect.stringMatching(message),
        code: expected === 413 ? "BODY_TOO_LARGE" : "BAD_REQUEST",
        request_id: /^x-amzn-requestid: (.+)$/im.exec(head)?.[1],
        retryable: false,
      },
    ]);
    expect(JSON.parse(body).request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(head).toMatch(/^content-type: application\/json/im);
  });

  test("hostile input: a URL and headers of 10,240 bytes are accepted, one byte more is not", async () => {
    const others = lines("GET /health? HTTP/1.1", "X-A: ").replaceAll(/^GET | HTTP\/1\.1$|: |\r\n/gm, "").length;
    const statuses = [0, 1].map(async (more) => {
      const value = "a".repeat(10_240 - others + more);
      return (await say(lines("GET /health? HTTP/1.1", `X-A: ${value}`))).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 431]);
  });
});

test("hostile input: a URL in absolute form is accepted for the service's own host", async () => {
  const statuses: Record<string, number> = {
    [`http://${host}/health`]: 200,
    [`HTTP://${host.toUpperCase()}/health?a=1`]: 200,
    [`http://${host}/api/v1/usage`]: 401,
    [`http://${host}`]: 200,
    [`http://${host}/nothing`]: 404,
    "http://evil.example/health": 404,
  };
  const answers = Object.keys(statuses).map(async (url) => [url, (await say(lines(`GET ${url} HTTP/1.1`))).status]);
  expect(Object.fromEntries(await Promise.all(answers))).toEqual(statuses);
});

test("hostile input: a query of 1,200 parameters is parsed, and the first unknown options are named", async () => {
  const query = Array.from({ length: 1_200 }, (_, index) => `k${index}=`).join("&");
  const { status, body } = await say(lines(`GET /api/v1/screenshot?${query} HTTP/1.1`, authorized()));
  expect([status, Object.keys(JSON.parse(body).details).length]).toEqual([422, 51]);
});
