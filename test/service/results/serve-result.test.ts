// Signed links to stored results: ranges, redirects of large results, and links that were not issued.
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiRequest } from "../../../lib/service/http/api-request.ts";
import { createLinkSecret, linkSecret } from "../../../lib/service/results/link-secret.ts";
import { resultLink } from "../../../lib/service/results/result-link.ts";
import { putResult } from "../../../lib/service/results/result-store.ts";
import { getResult } from "../../../lib/service/results/serve-result.ts";
import { anEvent } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const LARGE = 5_000;
let running: TestResources;
let secret: string;
beforeAll(async () => {
  running = await startTestResources();
  await createLinkSecret(running.env.ACCOUNTS_TABLE);
  secret = await linkSecret(running.env.ACCOUNTS_TABLE);
});
afterAll(() => running.close());

type Query = readonly (readonly [string, string])[];

/** Stores a result of so many bytes; resolves to its key, its bytes, and the query of its link. */
async function aResult(sizeBytes: number, mimeType = "image/png") {
  const key = `1-day/${randomBytes(24).toString("base64url")}.bin`;
  const bytes = randomBytes(sizeBytes);
  await putResult(running.env.RESULTS_BUCKET, key, bytes, { mimeType, disposition: "inline" });
  const link = new URL(resultLink({ baseUrl: "http://api.test", key, secret, expiresAt: Date.now() + 60_000 }));
  return { key, bytes, query: [...link.searchParams] as Query };
}

async function get(key: string, query: Query, { method = "GET", headers = {} } = {}) {
  const event = anEvent({ httpMethod: method, headers, pathParameters: { key } });
  const request = { ...createApiRequest(event), query };
  const env = { ...running.env, MAX_STREAMED_RESULT_BYTES: LARGE };
  const { status, headers: sent, body = "" } = await getResult({ request, options: {}, rawOptions: {}, env });
  return { status, headers: sent, body: body instanceof Readable ? Buffer.concat(await body.toArray()) : body };
}

describe("serve result: a range", () => {
  test.each([
    ["bytes=0-7", 0, 7],
    ["bytes=8-", 8, 99],
    ["bytes=-5", 95, 99],
    ["bytes=3-99999999", 3, 99],
  ])("%s is bytes %d to %d", async (range, from, to) => {
    const { key, bytes, query } = await aResult(100);
    const answer = await get(key, query, { headers: { range } });
    expect([answer.status, answer.headers?.["Content-Range"]]).toEqual([206, `bytes ${from}-${to}/100`]);
    expect(bytes.subarray(from, to + 1).equals(answer.body as Buffer)).toBe(true);
  });

  test.each(["bytes=0-1,3-4", "pages=1-2", "bytes=x-", "bytes=-"])("%s is ignored", async (range) => {
    const { key, bytes, query } = await aResult(100);
    const answer = await get(key, query, { headers: { range } });
    expect([answer.status, bytes.equals(answer.body as Buffer)]).toEqual([200, true]);
  });
});

describe("serve result: of one that is larger than a response,", () => {
  test("the bucket has the bytes, and clients that do not follow have a text", async () => {
    const { key, query } = await aResult(LARGE + 1);
    const { status, headers, body } = await get(key, query);
    const told = [status, headers?.["Cache-Control"], headers?.["Content-Type"]];
    expect(told).toEqual([302, "no-store", "text/plain; charset=utf-8"]);
    expect(body).toMatch(/^This is not the result\. It has 5001 bytes .*\n.*with curl, add -L.*\nhttp/);
    expect(String(body).trim().split("\n").at(-1)).toBe(headers?.["Location"]);
    expect((await (await fetch(headers?.["Location"] ?? "")).arrayBuffer()).byteLength).toBe(LARGE + 1);
  });

  test.each<[string, { size?: number; mimeType?: string; method?: string; headers?: object }, number]>([
    ["one byte fewer comes as bytes", { size: LARGE }, 200],
    ["a range that is small enough comes as bytes", { headers: { range: "bytes=0-9" } }, 206],
    ["a range that is too large is redirected", { headers: { range: "bytes=0-" } }, 302],
    ["HEAD is answered", { method: "HEAD" }, 200],
    ["a video is redirected", { mimeType: "video/mp4" }, 302],
    ["a PDF is redirected", { mimeType: "application/pdf" }, 302],
    ["text comes as bytes, because S3 cannot send nosniff", { mimeType: "text/plain; charset=utf-8" }, 200],
    ["HTML comes as bytes, because S3 cannot send nosniff", { mimeType: "text/html; charset=utf-8" }, 200],
  ])("%s", async (_, { size = LARGE + 1, mimeType, ...requested }, status) => {
    const { key, query } = await aResult(size, mimeType);
    const answer = await get(key, query, requested);
    expect(answer.status).toBe(status);
    if (status === 200 && !("method" in requested)) expect(answer.body.length).toBe(size);
  });
});

describe("serve result: a link that was not issued leads nowhere:", () => {
  const wide = (digits: string) => digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  const flipped = (s: string) => s.slice(0, -1) + (s.endsWith("A") ? "B" : "A");

  const longer = (e: string) => Number(e) + 9_999;

  test.each<[string, (e: string, s: string) => string]>([
    ["with one more second", (e, s) => `e=${Number(e) + 1}&s=${s}`],
    ["without an end", (_, s) => `s=${s}`],
    ["without a signature", (e) => `e=${e}`],
    ["with an empty signature", (e) => `e=${e}&s=`],
    ["without either", () => ""],
    ["with the end twice", (e, s) => `e=${e}&e=${e}&s=${s}`],
    ["with a longer end before its own", (e, s) => `e=${longer(e)}&e=${e}&s=${s}`],
    ["with a longer end after its own", (e, s) => `e=${e}&e=${longer(e)}&s=${s}`],
    ["with the signature twice", (e, s) => `e=${e}&s=${s}&s=${s}`],
    ["with another signature before its own", (e, s) => `e=${e}&s=x&s=${s}`],
    ["with a list of signatures", (e, s) => `e=${e}&s[]=${s}`],
    ["with a signature in the list of ends", (e, s) => `e=${e},${s}&s=${s}`],
    ["with names in capitals", (e, s) => `E=${e}&S=${s}`],
    ["with wide digits", (e, s) => `e=${wide(e)}&s=${s}`],
    ["with a blank", (e, s) => `e=${e}%20&s=${s}`],
    ["with a plus", (e, s) => `e=+${e}&s=${s}`],
    ["with padding", (e, s) => `e=${e}&s=${s}=`],
    ["with another last character", (e, s) => `e=${e}&s=${flipped(s)}`],
  ])("%s", async (_, forge) => {
    const { key, query } = await aResult(1);
    const [e = "", s = ""] = query.map(([, value]) => value);
    const forged = [...new URLSearchParams(forge(e, s))];
    expect((await get(key, query)).status).toBe(200);
    await expect(get(key, forged)).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });
});
