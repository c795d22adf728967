// `response_type=json` and /storage: stored results and their signed links.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { linkSecret } from "../../lib/service/results/link-secret.ts";
import { resultLink } from "../../lib/service/results/result-link.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { type Client, openClient } from "../support/client.ts";

const { baseUrl, site, accountsTable, dynamodb, kms } = inject("service");
const options = { url: `${site}/box`, viewport_width: "200", viewport_height: "100" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const captureAsJson = async () => (await client.capture({ ...options, response_type: "json" })).json();

test("result: the JSON has exactly seven fields", async () => {
  const before = Date.now();
  const response = await client.capture({ ...options, response_type: "json" });
  const result = await response.json();
  expect(Object.keys(result)).toEqual([
    "url",
    "expires_at",
    "mime_type",
    "file_size_bytes",
    "response_time_ms",
    "from_cache",
    "request_id",
  ]);
  expect(result).toMatchObject({ mime_type: "image/png", from_cache: false });
  expect(String(result.request_id)).toBe(response.headers.get("x-request-id"));
  expect(result.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  const lifetime = Date.parse(result.expires_at) - before;
  expect(lifetime).toBeGreaterThanOrEqual(24 * 3_600_000);
  expect(lifetime).toBeLessThan(24 * 3_600_000 + 30_000);
});

test("result: a link returns the same bytes without a key", async () => {
  const [result, direct] = await Promise.all([captureAsJson(), client.capture(options)]);
  const stored = Buffer.from(await (await fetch(result.url)).arrayBuffer());
  expect(stored.length).toBe(result.file_size_bytes);
  expect(stored.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true);
});

describe("result: a link responds directly, through the service's port, so that curl needs no -L:", () => {
  let url: string;
  let picture: Buffer;
  beforeAll(async () => {
    ({ url } = await captureAsJson());
    picture = Buffer.from(await (await fetch(url)).arrayBuffer());
  });
  const ask = (headers: Record<string, string> = {}, method = "GET") =>
    fetch(url, { method, headers, redirect: "manual" });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  test("the bytes, with the headers that a browser needs", async () => {
    const answer = await ask();
    expect([answer.status, (await bytesOf(answer)).equals(picture)]).toEqual([200, true]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(picture.length),
      "content-disposition": "inline",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[^"]+"$/),
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringMatching(/Accept-Ranges.*Content-Range.*ETag/),
    });
  });

  test("by curl, into a file", async () => {
    const { stdout } = await promisify(execFile)("curl", ["-s", url], { encoding: "buffer" });
    expect(stdout.equals(picture)).toBe(true);
  });

  test("HEAD, as GET without the bytes", async () => {
    const [head, get] = await Promise.all([ask({}, "HEAD"), ask()]);
    const changing = /^(x-|date|connection|keep-alive|transfer-encoding)/;
    const facts = ({ headers }: Response) => [...headers].filter(([name]) => !changing.test(name));
    expect([head.status, facts(head)]).toEqual([200, facts(get)]);
    expect((await bytesOf(head)).length).toBe(0);
  });

  test("a range", async () => {
    const answer = await ask({ Range: "bytes=3-99999999" });
    expect(["content-range", "content-length"].map((name) => answer.headers.get(name))).toEqual([
      `bytes 3-${picture.length - 1}/${picture.length}`,
      String(picture.length - 3),
    ]);
    expect([answer.status, (await bytesOf(answer)).equals(picture.subarray(3))]).toEqual([206, true]);
  });

  test("a range beyond the end gets 416 with the size of the result", async () => {
    const answer = await ask({ Range: `bytes=${picture.length}-` });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, `bytes */${picture.length}`]);
    expect(await answer.json()).toMatchObject({ code: "RANGE_NOT_SATISFIABLE" });
  });

  test("a range with another result's If-Range gets all of this one", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    const statuses = [etag, '"other"'].map(async (tag) => (await ask({ Range: "bytes=0-7", "If-Range": tag })).status);
    expect(await Promise.all(statuses)).toEqual([206, 200]);
  });

  test.each(["GET", "HEAD"])("304 for %s by a client that has the result", async (method) => {
    const etag = (await ask()).headers.get("etag") ?? "";
    const known = await ask({ "If-None-Match": `"other", W/${etag}` }, method);
    expect([known.status, known.headers.get("etag"), (await bytesOf(known)).length]).toEqual([304, etag, 0]);
    expect(known.headers.get("content-type")).toBe("image/png"); // of the result, which caches store with it
    expect((await ask({ "If-None-Match": '"other"' }, method)).status).toBe(200);
  });
});

test("result: a link with one changed character is rejected", async () => {
  const { url } = await captureAsJson();
  const changed = [...url.slice(`${baseUrl}/storage/`.length)].map((character, index, all) => {
    const other = character === "A" ? "B" : "A";
    return `${baseUrl}/storage/${[...all.slice(0, index), other, ...all.slice(index + 1)].join("")}`;
  });
  const sampled = changed.filter((_, index) => index % 7 === 0);
  const statuses = await Promise.all(sampled.map(async (address) => (await fetch(address)).status));
  expect(statuses).toEqual(sampled.map(() => 404));
});

test("result: an expired link says so", async () => {
  const { url } = await captureAsJson();
  useLocalData({ dynamodb, kms });
  const secret = await linkSecret(accountsTable);
  const key = new URL(url).pathname.replace("/storage/", "");
  const response = await fetch(resultLink({ baseUrl, key, secret, expiresAt: Date.now() - 1_000 }));
  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({ code: "GONE" });
});
