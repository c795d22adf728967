// Responses to captures: bytes, base64, JSON or headers only, with the file name.
import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { cachePolicy } from "../../../lib/service/captures/cache-key.ts";
import type { RenderedCapture } from "../../../lib/service/captures/rendered-capture.ts";
import { createResultResponse, encodeBody } from "../../../lib/service/captures/respond-one.ts";
import type { StoredCapture } from "../../../lib/service/results/stored-capture.ts";

const body = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
const taken: RenderedCapture = {
  requestId: 123,
  format: "png",
  mimeType: "image/png",
  responseTimeMs: 1_234,
  fromCache: false,
  staleSince: undefined,
  finalUrl: "https://example.com/",
  warnings: [],
  problems: [],
  quality: 100,
  metadata: { page_title: "Zoë" },
  statusCode: 200,
  sizeBytes: 6,
  body,
  stored: undefined,
};

const stored: StoredCapture = {
  key: "1-day/a.png",
  format: "png",
  mime_type: "image/png",
  size_bytes: 6,
  final_url: "https://example.com/",
  status_code: 200,
  warnings: [],
  metadata: {},
  slices: [],
  expires_at: Date.UTC(2026, 0, 31),
};

/** Headers of every answer that carries a capture or reports one. */
const facts = {
  "X-Request-Id": "123",
  "X-Response-Time": "1234",
  "X-Cache": "BYPASS",
  "X-Final-Url": "https://example.com/",
  "X-Page-Title": "Zo%C3%AB",
  "Server-Timing": "capture;dur=5.0",
};

async function answerTo(sent: object, result: RenderedCapture = taken) {
  let now = 0;
  const clock = new PhaseClock(() => now);
  await clock.measure("capture", async () => {
    now = 5;
  });
  const links = { baseUrl: "https://api.example", secret: async () => "secret" };
  const options = parseCaptureOptions({ url: "https://example.com/", ...sent });
  const capture = { options, cache: cachePolicy(options, 3), job: undefined };
  return createResultResponse({ capture, result }, { links, serverTiming: () => clock.header() });
}

test("by_format: the response is the result with its media type", async () => {
  expect(await answerTo({})).toEqual({
    status: 200,
    headers: {
      "Content-Type": "image/png",
      "Content-Length": "6",
      "Content-Disposition": "inline",
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
      ...facts,
    },
    body,
  });
});

describe("base64", () => {
  const encoded = async (bytes: Buffer) => {
    const { body: text, ...answer } = encodeBody(
      await answerTo({ response_type: "base64" }, { ...taken, sizeBytes: bytes.length, body: bytes }),
    );
    return { ...answer, text: await readText(text as Readable) };
  };

  test("the response is the result as text", async () => {
    expect(await encoded(body)).toMatchObject({
      status: 200,
      headers: { "Content-Type": "text/plain; charset=us-ascii", "Content-Length": "8", ...facts },
      text: "iVBORwD/",
    });
  });

  test.each([0, 1, 2, 3, 196_607, 196_608, 196_609, 500_000])("the text of %i bytes is whole", async (length) => {
    const bytes = Buffer.alloc(length, "some bytes");
    const { text, headers } = await encoded(bytes);
    expect(text).toBe(bytes.toString("base64"));
    expect(headers?.["Content-Length"]).toBe(String(text.length));
  });

  test("a text that was stored for replays stays as it is", async () => {
    const headers = { "Content-Type": "text/plain; charset=us-ascii" };
    const stored = { status: 200, headers, body: Buffer.from("iVBORwD/") };
    expect(encodeBody(stored)).toEqual(stored);
  });

  test("the text of a large result isn't in memory as a whole", async () => {
    const script = join(import.meta.dirname, "fixtures/encode-large-result.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script, "142000000"]);
    const { length, maxRssBytes } = JSON.parse(stdout);
    expect(length).toBe(189_333_336);
    expect(maxRssBytes).toBeLessThan(300e6);
  });
});

test("by_format: the response to a result that it does not carry redirects to the stored one, with the same headers", async () => {
  const answer = await answerTo({}, { ...taken, sizeBytes: 12_000_000, body: undefined, stored });
  const link = expect.stringMatching(/^https:\/\/api\.example\/storage\/1-day\/a\.png\?e=1769817600&s=[\w-]{43}$/);
  expect(answer).toEqual({
    status: 303,
    headers: {
      Location: link,
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...facts,
    },
    body: expect.stringMatching(
      /^This is not the result\. It has 12000000 bytes .* until 2026-01-31T00:00:00\.000Z\.\n.*with curl, add -L.*\nhttps:/,
    ),
  });
  expect(String(answer.body).trim().split("\n").at(-1)).toBe(answer.headers?.["Location"]);
});

test("empty: the response has headers only", async () => {
  expect(await answerTo({ response_type: "empty", attachment_name: "a.png" })).toEqual({
    status: 204,
    headers: { "Cache-Control": "no-store", ...facts },
  });
});

describe("json", () => {
  const linkTo = (name: string) =>
    new RegExp(`^https://api\\.example/storage/1-day/${name}\\.png\\?e=1769817600&s=[\\w-]{43}$`);

  test("links to the result, with the same headers", async () => {
    const answer = await answerTo({ response_type: "json" }, { ...taken, stored });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...facts },
    });
    expect(JSON.parse(String(answer.body))).toEqual({
      url: expect.stringMatching(linkTo("a")),
      expires_at: "2026-01-31T00:00:00.000Z",
      mime_type: "image/png",
      file_size_bytes: 6,
      response_time_ms: 1_234,
      from_cache: false,
      request_id: 123,
      metadata: { page_title: "Zoë" },
    });
  });

  test("lists the slices", async () => {
    const slices = [{ key: "1-day/b.png", top: 0, height: 9, size_bytes: 3 }];
    const { body } = await answerTo({ response_type: "json" }, { ...taken, stored: { ...stored, slices } });
    expect(JSON.parse(String(body)).slices).toEqual([
      { url: expect.stringMatching(linkTo("b")), top: 0, height: 9, file_size_bytes: 3 },
    ]);
  });
});

test.each(["by_format", "base64"])("%s: the response has the file name", async (response_type) => {
  const { headers } = await answerTo({ response_type, attachment_name: "page.png" });
  expect(headers?.["Content-Disposition"]).toBe('attachment; filename="page.png"');
});

describe("X-Cache: a cached result", () => {
  const found = { ...taken, fromCache: true, body: undefined, sizeBytes: 6, stored };

  test("is a hit, whose JSON needs no bytes", async () => {
    const { headers, body } = await answerTo({ response_type: "json", cache: true }, found);
    expect(headers?.["X-Cache"]).toBe("HIT");
    expect(JSON.parse(String(body))).toMatchObject({ from_cache: true, file_size_bytes: 6 });
  });

  test("would have been a miss", async () => {
    const { headers } = await answerTo({ cache: true }, taken);
    expect(headers?.["X-Cache"]).toBe("MISS");
  });
});

test("ETag: the same result has the same one, another result another", async () => {
  const other = { ...taken, body: Buffer.from([1]) };
  const tags = await Promise.all(
    [answerTo({}), answerTo({}), answerTo({}, other), answerTo({ response_type: "base64" })].map(
      async (answer) => (await answer).headers?.["ETag"],
    ),
  );
  expect([tags[0] === tags[1], new Set(tags).size]).toEqual([true, 3]);
});
