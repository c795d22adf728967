// Text is compressed for clients that accept it, as API Gateway would send it.
import { execFile } from "node:child_process";
import { get as httpGet, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { signIn } from "../support/signed-in.ts";

const { baseUrl } = inject("service");

let client: Client;
let page: string;
beforeAll(async () => {
  client = await openClient();
  const list = Array.from({ length: 200 }, (_, index) => `<p>Line ${index} of a page with a lot of text.</p>`);
  const html = `<main>${list.join("")}</main>`;
  const body = { html, format: "html", response_type: "json" };
  const response = await sendWith(client, "POST", "/api/v1/screenshot", { body });
  page = (await response.json()).url;
});

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A response as it is on the wire: fetch decompresses. */
function receive(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const url = new URL(path, baseUrl);
  const credentials = "Cookie" in headers ? {} : { Authorization: `Bearer ${client.key}` };
  httpGet(url, { method, headers: { ...credentials, ...headers } }, async (response) => {
    resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
  }).on("error", reject);
  return promise;
}

const compressed = { "Accept-Encoding": "gzip;q=0.5, br" };

describe("compression", () => {
  test("makes the OpenAPI document a quarter as large at most, and changes nothing in it", async () => {
    const [plain, small] = [await receive("/api/v1/openapi.json"), await receive("/api/v1/openapi.json", compressed)];
    expect([plain, small].map(({ headers }) => [headers["content-encoding"], headers["vary"]])).toEqual([
      [undefined, "Accept-Encoding"],
      ["br", "Accept-Encoding"],
    ]);
    expect(brotliDecompressSync(small.body).equals(plain.body)).toBe(true);
    expect(small.headers["content-length"]).toBe(String(small.body.length));
    expect(small.body.length).toBeLessThan(plain.body.length / 4);
  });

  test("has the same headers for HEAD", async () => {
    const changing = /^(x-|date|connection|keep-alive|transfer-encoding)/;
    for (const path of ["/api/v1/openapi.json", page, "/api/v1/usage/export?output=csv"]) {
      const [get, head] = [await receive(path, compressed), await receive(path, compressed, "HEAD")];
      const facts = ({ headers }: Received) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.test(name)));
      expect([head.status, facts(head), head.body.length]).toEqual([200, facts(get), 0]);
      expect(get.headers["content-encoding"]).toBe("br");
    }
  });

  test("of a stored result weakens its ETag, with which a client asks whether it has changed", async () => {
    const [plain, small] = [await receive(page), await receive(page, compressed)];
    expect(small.headers.etag).toBe(`W/${plain.headers.etag}`);
    const known = await receive(page, { ...compressed, "If-None-Match": String(small.headers.etag) });
    expect([known.status, known.headers.etag, known.headers["content-type"], known.headers.vary]).toEqual([
      304,
      small.headers.etag,
      "text/html; charset=utf-8",
      "Accept-Encoding",
    ]);
  });

  test("leaves ranges of bytes as they are, and a range of a compressed result is the whole", async () => {
    const plain = await receive(page);
    const part = await receive(page, { ...compressed, Range: "bytes=10-19" });
    expect([part.status, part.headers["content-encoding"], part.body.equals(plain.body.subarray(10, 20))]).toEqual([
      206,
      undefined,
      true,
    ]);
    const whole = await receive(page, { ...compressed, Range: "bytes=10-19", "If-Range": `W/${plain.headers.etag}` });
    expect([whole.status, brotliDecompressSync(whole.body).equals(plain.body)]).toEqual([200, true]);
  });

  test("is undone by curl and by fetch", async () => {
    const plain = await receive(page);
    const { stdout } = await promisify(execFile)("curl", ["-s", "--compressed", page], { encoding: "buffer" });
    expect(stdout.equals(plain.body)).toBe(true);
    expect(Buffer.from(await (await fetch(page)).arrayBuffer()).equals(plain.body)).toBe(true);
  });

  test("leaves responses with API keys, and those that depend on a cookie, as they are", async () => {
    const body = { label: "Website".repeat(14) };
    const issued = await sendWith(client, "POST", "/api/v1/keys", { body, headers: compressed });
    expect([issued.status, issued.headers.get("content-encoding")]).toEqual([201, null]);
    const { cookie } = await signIn(client.accountId);
    const days = await receive("/api/v1/usage/stats?days=90", { ...compressed, Cookie: cookie });
    expect([days.status, days.headers["content-encoding"], days.body.length > 1_000]).toEqual([200, undefined, true]);
    expect((await receive("/api/v1/usage/stats?days=90", compressed)).headers["content-encoding"]).toBe("br");
  });
});
