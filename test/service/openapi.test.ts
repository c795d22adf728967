// The OpenAPI document as it is served, and whether the answers of the service are as it tells.
import { beforeAll, expect, inject, test } from "vitest";
import { type Client, openClient } from "../support/client.ts";
import { type OpenapiDocument, problemFinder } from "../support/openapi.ts";

const { baseUrl, site } = inject("service");
let client: Client;
let document: OpenapiDocument;
let problemsOf: ReturnType<typeof problemFinder>;

beforeAll(async () => {
  client = await openClient();
  document = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  problemsOf = problemFinder(document);
});

const small = { viewport_width: "200", viewport_height: "100" };
const facts = [
  "metadata_page_title",
  "metadata_open_graph",
  "metadata_icon",
  "metadata_fonts",
  "metadata_image_size",
  "metadata_http_response_status_code",
  "metadata_http_response_headers",
  "metadata_content",
  "metadata_links",
  "metadata_palette",
  "metadata_console",
  "metadata_requests",
];
const everything = Object.fromEntries(facts.map((name) => [name, "true"]));

test("is served to anyone, from any site, and may be kept for an hour", async () => {
  const response = await fetch(`${baseUrl}/api/v1/openapi.json`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, max-age=3600",
    "access-control-allow-origin": "*",
  });
});

test("names the service that it was asked of", () => {
  expect(document.servers).toEqual([{ url: baseUrl }]);
});

test("tells the JSON of a capture with all its metadata", async () => {
  const sent = { url: `${site}/console`, response_type: "json", ...small, ...everything };
  const result = await (await client.capture(sent)).json();
  expect(Object.keys(result.metadata).length).toBeGreaterThan(9);
  expect(problemsOf("CaptureResult", result)).toEqual([]);
  const { properties } = document.components.schemas.CaptureMetadata as { properties: object };
  expect(Object.keys(result.metadata).filter((name) => !(name in properties))).toEqual([]);
});

test("tells the JSON of slices", async () => {
  const sent = { url: `${site}/bands`, full_page: "true", full_page_slices: "true", full_page_slice_height: "1000" };
  const result = await (await client.capture({ ...sent, ...small, response_type: "json" })).json();
  expect(result.slices).toHaveLength(3);
  expect(problemsOf("CaptureResult", result)).toEqual([]);
});

test("tells the JSON of a page alone", async () => {
  const facts = await (await client.capture({ url: `${site}/meta`, format: "json" })).json();
  expect(Object.keys(facts)).toContain("open_graph");
  expect(problemsOf("CaptureMetadata", facts)).toEqual([]);
});

test("tells every header of a capture", async () => {
  const response = await client.capture({
    url: `${site}/box`,
    ...small,
    metadata_page_title: "true",
    metadata_image_size: "true",
    metadata_http_response_status_code: "true",
  });
  const told = new Set(Object.keys(document.components.headers).map((name) => name.toLowerCase()));
  const ofOurs = [...response.headers.keys()].filter((name) => /^x-(?!amzn)|server-timing|etag|disposition/.test(name));
  expect(ofOurs.filter((name) => !told.has(name))).toEqual(["x-content-type-options"]);
  expect(ofOurs).toEqual(expect.arrayContaining(["x-page-title", "x-image-width", "x-source-status-code"]));
});

test.each([
  ["a capture that fails", { url: "http://127.0.0.1:1/" }],
  ["options that are wrong", { viewport_width: "one" }],
])("tells the JSON of %s", async (_, sent: Record<string, string>) => {
  const response = await client.capture(sent);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(problemsOf("Error", await response.json())).toEqual([]);
});

test("tells the JSON of the usage reports", async () => {
  await client.capture({ url: `${site}/box`, ...small });
  const [list, sums] = await Promise.all([client.get("/api/v1/usage"), client.get("/api/v1/usage/stats")]);
  expect(problemsOf("UsagePage", await list.json())).toEqual([]);
  expect(problemsOf("UsageStatistics", await sums.json())).toEqual([]);
});
