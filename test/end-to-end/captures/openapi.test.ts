// Whether what Chromium finds of pages matches the OpenAPI document.
import { beforeAll, expect, inject, test } from "vitest";
import { type Client, openClient } from "../../support/client.ts";
import { type OpenapiDocument, problemFinder } from "../../support/openapi.ts";

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

test("OpenAPI document: matches the JSON of a capture with all metadata", async () => {
  const sent = { url: `${site}/console`, response_type: "json", ...small, ...everything };
  const result = await (await client.capture(sent)).json();
  expect(Object.keys(result.metadata).length).toBeGreaterThan(9);
  expect(problemsOf("CaptureResult", result)).toEqual([]);
  const { properties } = document.components.schemas["CaptureMetadata"] as { properties: object };
  expect(Object.keys(result.metadata).filter((name) => !(name in properties))).toEqual([]);
});

test("OpenAPI document: matches the JSON of slices", async () => {
  const sent = { url: `${site}/bands`, full_page: "true", full_page_slices: "true", full_page_slice_height: "1000" };
  const result = await (await client.capture({ ...sent, ...small, response_type: "json" })).json();
  expect(result.slices).toHaveLength(3);
  expect(problemsOf("CaptureResult", result)).toEqual([]);
});

test("OpenAPI document: matches a result in the format json", async () => {
  const facts = await (await client.capture({ url: `${site}/meta`, format: "json" })).json();
  expect(Object.keys(facts)).toContain("open_graph");
  expect(problemsOf("CaptureMetadata", facts)).toEqual([]);
});
