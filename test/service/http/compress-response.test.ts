// Compression of text: what is compressed, and what the headers of a compressed response say.

import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressResponse, MIN_COMPRESSED_BYTES } from "../../../lib/service/http/compress-response.ts";
import type { StreamedResponse } from "../../../lib/service/http/response.ts";

const text = "Compression needs some text. ".repeat(200);
const answer = (type = "text/html; charset=utf-8", parts: Partial<StreamedResponse> = {}) => ({
  status: 200,
  headers: { "Content-Type": type, ETag: '"abc"', "Content-Length": String(text.length), "Accept-Ranges": "bytes" },
  body: text,
  ...parts,
});
const request = (headers: Record<string, string> = { "accept-encoding": "gzip" }, method = "GET") => ({
  method,
  headers,
  isPrivate: false,
});

describe("a text of more than 1 kB", () => {
  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ])("is compressed as %s, whose length is not that of the text", async (coding, decompress) => {
    const { headers, body } = await compressResponse(answer(), request({ "accept-encoding": coding }));
    expect(headers).toEqual({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Encoding": coding,
      Vary: "Accept-Encoding",
      ETag: 'W/"abc"',
    });
    expect(decompress(body as Buffer).toString()).toBe(text);
    expect((body as Buffer).length).toBeLessThan(text.length / 10);
  });

  test.each([undefined, "identity", "gzip;q=0", "zstd"])(
    "is sent as it is to a client that accepts %j",
    async (accepted) => {
      const { headers, body } = await compressResponse(
        answer(),
        request(accepted === undefined ? {} : { "accept-encoding": accepted }),
      );
      expect([headers, body]).toEqual([{ ...answer().headers, Vary: "Accept-Encoding" }, text]);
    },
  );

  test.each([
    "application/json; charset=utf-8",
    "application/x-ndjson",
    "application/xml",
    "image/svg+xml",
    "multipart/related",
    "text/csv; charset=utf-8",
    "text/markdown; charset=utf-8",
    "text/plain; charset=us-ascii",
  ])("is compressed as %s", async (type) => {
    expect((await compressResponse(answer(type), request())).headers).toHaveProperty("Content-Encoding", "gzip");
  });

  test.each([
    "application/octet-stream",
    "application/pdf",
    "application/zip",
    "image/png",
    "image/webp",
    "text/event-stream",
    "video/mp4",
  ])("is untouched as %s", async (type) => {
    const sent = answer(type);
    expect(await compressResponse(sent, request())).toBe(sent);
  });

  test("is untouched when it depends on a cookie", async () => {
    const sent = answer();
    expect(await compressResponse(sent, { ...request(), isPrivate: true })).toBe(sent);
  });
});

describe("a small text", () => {
  const small = { ...answer(), headers: { "Content-Type": "text/plain" }, body: "x".repeat(MIN_COMPRESSED_BYTES - 1) };

  test("is sent as it is, and varies", async () => {
    const { headers, body } = await compressResponse(small, request());
    expect([headers, body]).toEqual([{ "Content-Type": "text/plain", Vary: "Accept-Encoding" }, small.body]);
  });

  test("is compressed for a client that refuses it as it is", async () => {
    const { body } = await compressResponse(small, request({ "accept-encoding": "gzip, identity;q=0" }));
    expect(gunzipSync(body as Buffer).toString()).toBe(small.body);
  });
});

describe("a part of a text", () => {
  test("is sent as it is, with the ETag of the whole", async () => {
    const part = answer("text/plain", { status: 206, body: "some" });
    const { headers, body } = await compressResponse(part, request());
    expect([headers?.["ETag"], headers?.["Content-Encoding"], body]).toEqual(['"abc"', undefined, "some"]);
  });
});

describe("304", () => {
  const unchanged = { status: 304, headers: { ETag: '"abc"', "Content-Type": "text/html" } };

  test.each([
    ['W/"abc"', 'W/"abc"'],
    ['"x", W/"abc"', 'W/"abc"'],
    ['"abc"', '"abc"'],
    ["*", '"abc"'],
  ])("for a client that has %s names %s", async (known, etag) => {
    const { headers } = await compressResponse(
      unchanged,
      request({ "accept-encoding": "gzip", "if-none-match": known }),
    );
    expect(headers).toEqual({ ETag: etag, "Content-Type": "text/html", Vary: "Accept-Encoding" });
  });
});

describe("a response to HEAD", () => {
  test("without the body of a stream has the headers of the response to GET", async () => {
    const { body: _, ...withoutBody } = answer();
    const [get, head] = [
      await compressResponse({ ...answer(), body: Readable.from([Buffer.from(text)]) }, request()),
      await compressResponse(withoutBody, request(undefined, "HEAD")),
    ];
    expect([head.headers, "body" in head]).toEqual([get.headers, false]);
  });
});

describe("a stream", () => {
  const compressed = async (body: Readable) =>
    (await compressResponse({ status: 200, headers: { "Content-Type": "text/csv" }, body }, request()))
      .body as Readable;

  test("is compressed as it is read, without a length", async () => {
    const body = await compressed(Readable.from([text, text], { objectMode: false }));
    expect(gunzipSync(await buffer(body)).toString()).toBe(text + text);
  });

  test("that fails half-way fails the compressed one", async () => {
    async function* broken() {
      yield text;
      throw new Error("The table broke off.");
    }
    await expect(buffer(await compressed(Readable.from(broken(), { objectMode: false })))).rejects.toThrow("broke off");
  });

  test("waits for its reader, and ends with it", async () => {
    let chunks = 0;
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          chunks++;
          yield crypto.getRandomValues(new Uint8Array(16_384));
        }
      } finally {
        isClosed = true;
      }
    }
    const body = await compressed(Readable.from(endless(), { objectMode: false }));
    await expect.poll(() => chunks).toBeGreaterThan(1);
    for (let turn = 0; turn < 50; turn++) await setImmediate(); // as long as the body is not read
    expect(chunks).toBeLessThan(100);
    body.destroy();
    await expect.poll(() => isClosed).toBe(true);
  });
});
