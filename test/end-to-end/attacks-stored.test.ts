// Attacks through stored results: forged links, deceptive file names, and types that a browser would run.
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { resultLink } from "../../lib/service/results/result-link.ts";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { sampled } from "../support/slow-run.ts";

const { baseUrl } = inject("service");
const small = { viewport_width: "100", viewport_height: "100" };

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const stored = async (options: Record<string, string>) =>
  (await client.capture({ ...small, response_type: "json", ...options })).json();

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks for a path as it is written; `fetch` would tidy it up first. */
async function raw(path: string, { method = "GET", body = "" } = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const asking = request({ hostname, port, path, method, agent: false }).end(body);
  const [answer] = await once(asking, "response");
  asking.on("error", () => undefined); // the server may close the connection before it has read the body
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe("stored results: a link that was not issued leads nowhere:", () => {
  let key: string;
  let other: URL;
  let e: string;
  let s: string;
  beforeAll(async () => {
    const [link, second] = await Promise.all(["one", "two"].map(async (html) => new URL((await stored({ html })).url)));
    if (!link || !second) throw new Error("Two results were to be stored.");
    key = link.pathname.slice("/storage/".length);
    other = second;
    e = link.searchParams.get("e") ?? "";
    s = link.searchParams.get("s") ?? "";
    expect((await raw(`/storage/${key}?e=${e}&s=${s}`)).status).toBe(200);
  });

  const otherKey = () => other.pathname.slice("/storage/".length);
  const forgeries: readonly [what: string, path: () => string][] = [
    ["with another result's key", () => `${otherKey()}?e=${e}&s=${s}`],
    ["with another result's signature", () => `${key}?e=${e}&s=${other.searchParams.get("s")}`],
    ["in capitals", () => `${key.toUpperCase()}?e=${e}&s=${s}`],
    ["encoded twice", () => `${key.replace("/", "%252F")}?e=${e}&s=${s}`],
    ["by a way up", () => `7-days/../${key}?e=${e}&s=${s}`],
    ["by a way up that is encoded", () => `7-days/%2e%2e/${key}?e=${e}&s=${s}`],
    ["by a way up that is encoded twice", () => `7-days/%252e%252e/${key}?e=${e}&s=${s}`],
    ["by a way up in other slashes", () => `7-days%5c..%5c${key}?e=${e}&s=${s}`],
    ["with two slashes", () => `${key.replace("/", "//")}?e=${e}&s=${s}`],
    ["with a null byte", () => `${key}%00.png?e=${e}&s=${s}`],
    ["with an end of a line", () => `${key}%0a${e}?e=${e}&s=${s}`],
    ["with half a character", () => `${key}%ff?e=${e}&s=${s}`],
    ["with another kind of file", () => `${key.replace(/png$/, "html")}?e=${e}&s=${s}`],
    ["to the whole bucket", () => `?e=${e}&s=${s}`],
    [
      "by another secret",
      () => resultLink({ baseUrl: "", key, expiresAt: Number(e) * 1000, secret: "guessed" }).slice(9),
    ],
    ["by no secret", () => resultLink({ baseUrl: "", key, expiresAt: Number(e) * 1000, secret: "" }).slice(9)],
  ];

  sampled(test, 8).each(forgeries)("%s", async (_, path) => {
    const answer = await raw(`/storage/${path()}`);
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('"NOT_FOUND"') });
    expect(answer.headers.location).toBeUndefined();
  });

  test("and parameters added to one are not forwarded", async () => {
    const more = "response-content-type=text%2Fhtml&response-content-disposition=inline&versionId=1";
    const { status, headers } = await raw(`/storage/${key}?e=${e}&s=${s}&${more}`);
    expect([status, headers["content-type"], headers.location]).toEqual([200, "image/png", undefined]);
  });

  test("and a deleted result responds like one that never existed", async () => {
    const requested = await client.capture({ html: "gone", ...small, async: "true" });
    const { request_id } = await requested.json();
    const path = `/api/v1/screenshot/${request_id}`;
    const { pathname, search } = new URL((await endOf(request_id, client)).url);
    await sendWith(client, "DELETE", path);
    const withoutId = ({ status, body }: RawAnswer) => [status, body.replace(/"request_id":\d+/, "")];
    expect(withoutId(await raw(pathname + search))).toEqual(withoutId(await raw(`${pathname}?e=${e}&s=${s}`)));
  });
});

test("stored results: keys cannot be guessed from other keys", async () => {
  const sliced = { full_page: "true", full_page_slices: "true", full_page_slice_height: "100" };
  const { url, slices } = await stored({ html: '<div style="height:1600px">', ...sliced });
  const names = [url, ...slices.map((slice: { url: string }) => slice.url)].map(
    (each: string) => /\/1-day\/([\w-]{32})\.png\?/.exec(each)?.[1] ?? "",
  );
  // 24 random bytes: no position has the same character, or the next one, in all of them.
  const columns = Array.from({ length: 32 }, (_, at) => new Set(names.map((name) => name[at])));
  expect(names.length).toBeGreaterThan(10);
  expect(Math.min(...columns.map(({ size }) => size))).toBeGreaterThan(4);
});

describe("stored results: a file name", () => {
  test("is rejected when it ends its line", async () => {
    const response = await client.capture({ html: "x", ...small, attachment_name: "a.png\r\nSet-Cookie: a=b" });
    expect([response.status, Object.keys((await response.json()).details ?? {})]).toEqual([422, ["attachment_name"]]);
  });

  sampled(test, 6).each(["x.html", "console.png", "a;b=c.png", "a%0d%0ab.png", "😀.png", "עברית.png"])(
    "cannot change an image's type: %s",
    async (attachment_name) => {
      const { url } = await stored({ html: "x", attachment_name });
      const direct = await client.capture({ html: "x", ...small, attachment_name });
      for (const { headers } of [direct, await fetch(url)]) {
        expect(headers.get("content-type")).toBe("image/png");
        expect(headers.get("content-disposition")).toMatch(
          /^attachment; filename="[^"\\%]*"(; filename\*=UTF-8''[\w.%-]+)?$/,
        );
        expect(headers.get("set-cookie")).toBeNull();
      }
    },
  );
});

describe("stored results: no response can be taken for a page of this service:", () => {
  const own = (path: string, init: RequestInit = {}) =>
    fetch(baseUrl + path, {
      redirect: "manual",
      ...init,
      headers: { Authorization: `Bearer ${client.key}`, ...init.headers },
    });
  const json = (body: string, type = "application/json") => ({
    method: "POST",
    body,
    headers: { "Content-Type": type },
  });
  const capture = (more: Record<string, string>) => client.capture({ html: "<b>x</b>", ...small, ...more });

  sampled(test, 8).each<[string, () => Promise<Response>, number]>([
    ["health", () => own("/health"), 200],
    ["the description of the API", () => own("/api/v1/openapi.json"), 200],
    ["a report", () => own("/api/v1/usage"), 200],
    ["no key", () => fetch(`${baseUrl}/api/v1/usage?<script>`), 401],
    ["an unknown path", () => own("/<script>alert(1)</script>"), 404],
    ["another method", () => own("/health", { method: "PUT" }), 405],
    ["the question before a request", () => own("/api/v1/screenshot", { method: "OPTIONS" }), 204],
    ["a body that is none", () => own("/api/v1/screenshot", json("<script>")), 400],
    ["a body of another type", () => own("/api/v1/screenshot", json("<script>", "text/html")), 415],
    ["a wrong option", () => capture({ "<script>alert(1)</script>": "<script>" }), 422],
    ["a capture in the background", () => capture({ async: "true" }), 202],
    ["a picture", () => capture({}), 200],
    ["a page", () => capture({ format: "html" }), 200],
    ["a page with its resources", () => capture({ format: "mhtml" }), 200],
    ["text", () => capture({ format: "text" }), 200],
    ["Markdown", () => capture({ format: "markdown" }), 200],
    ["a result in base64", () => capture({ response_type: "base64" }), 200],
    ["a result in JSON", () => capture({ response_type: "json" }), 200],
    ["no body", () => capture({ response_type: "empty" }), 204],
    ["a link", async () => fetch((await stored({ html: "x" })).url, { redirect: "manual" }), 200],
    [
      "a link to text",
      async () => fetch((await stored({ html: "x", format: "text" })).url, { redirect: "manual" }),
      200,
    ],
    ["a link that is none", () => fetch(`${baseUrl}/storage/x?e=<script>`), 404],
  ])("%s", async (_, ask, status) => {
    const { status: answered, headers } = await ask();
    expect(answered).toBe(status);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^sandbox(; default-src 'none')?$/);
  });

  // API Gateway's own answer; the rest of the request is not read.
  test("a response that is too large for a function", async () => {
    const { status, headers } = await raw("/api/v1/screenshot", { method: "POST", body: "x".repeat(11_000_000) });
    expect([status, headers["x-content-type-options"], headers["content-security-policy"]]).toEqual([
      413,
      "nosniff",
      "sandbox",
    ]);
  });

  sampled(test, 2).each(["mp4", "webm"])(
    "except a video (%s), which browsers do not show in a sandbox",
    async (format) => {
      const answer = await capture({ format, video_duration: "1" });
      expect([answer.status, answer.headers.get("content-security-policy")]).toEqual([200, null]);
    },
  );
});
