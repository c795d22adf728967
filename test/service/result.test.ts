// `response_type=json` and /storage: results that are stored, and the links that lead to them.
import { beforeAll, expect, inject, test } from "vitest";
import { useLocalDynamoDb } from "../../lib/local/find-service.ts";
import { findLinkSecret } from "../../lib/results/link-secret-store.ts";
import { resultLink } from "../../lib/results/result-link.ts";
import { type Client, openClient } from "../support/client.ts";

const { baseUrl, site, accountsTable, dynamodb } = inject("service");
const options = { url: `${site}/box`, viewport_width: "200", viewport_height: "100" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const captureAsJson = async () => (await client.capture({ ...options, response_type: "json" })).json();

test("describes a stored result in exactly seven fields", async () => {
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

test("leads from its link to the same bytes, without a key", async () => {
  const [result, direct] = await Promise.all([captureAsJson(), client.capture(options)]);
  const stored = Buffer.from(await (await fetch(result.url)).arrayBuffer());
  expect(stored.length).toBe(result.file_size_bytes);
  expect(stored.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true);
});

test("answers HEAD on a link with a redirect that can be followed", async () => {
  const { url, file_size_bytes } = await captureAsJson();
  const redirect = await fetch(url, { method: "HEAD", redirect: "manual" });
  expect(redirect.status).toBe(302);
  const object = await fetch(url, { method: "HEAD" });
  expect(Number(object.headers.get("content-length"))).toBe(file_size_bytes);
});

test("does not know a link in which one character was changed", async () => {
  const { url } = await captureAsJson();
  const changed = [...url.slice(`${baseUrl}/storage/`.length)].map((character, index, all) => {
    const other = character === "A" ? "B" : "A";
    return `${baseUrl}/storage/${[...all.slice(0, index), other, ...all.slice(index + 1)].join("")}`;
  });
  const sampled = changed.filter((_, index) => index % 7 === 0);
  const statuses = await Promise.all(sampled.map(async (address) => (await fetch(address)).status));
  expect(statuses).toEqual(sampled.map(() => 404));
});

test("says that a link has expired", async () => {
  const { url } = await captureAsJson();
  useLocalDynamoDb(dynamodb);
  const secret = (await findLinkSecret(accountsTable)) ?? "";
  const key = new URL(url).pathname.replace("/storage/", "");
  const response = await fetch(resultLink({ baseUrl, key, secret, expiresAt: Date.now() - 1_000 }));
  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({ code: "GONE" });
});

test("stores slices as what they are, where the whole page is a PNG because it is too tall for their format", async () => {
  const sliced = { full_page: "true", full_page_slices: "true", response_type: "json", format: "webp" };
  const response = await client.capture({ ...options, ...sliced, url: `${site}/bands?count=170` });
  const { mime_type, slices } = await response.json();
  const stored = await fetch(slices[4].url);
  const bytes = Buffer.from(await stored.arrayBuffer());
  expect([mime_type, stored.headers.get("content-type"), bytes.toString("latin1", 0, 4)]).toEqual([
    "image/png",
    "image/webp",
    "RIFF",
  ]);
});
