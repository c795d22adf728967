// Metadata of a page: in the JSON of a stored result, in headers, and as format json.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { META } from "../../fixtures/site-pages/documents.ts";
import { SHADOW_TEXTS } from "../../fixtures/site-pages/shadow.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sampled } from "../../support/slow-run.ts";

const { site } = inject("service");
const small = { viewport_width: "200", viewport_height: "100" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Options = Record<string, string>;
const flags = (...names: string[]): Options => Object.fromEntries(names.map((name) => [`metadata_${name}`, "true"]));

const resultOf = async (path: string, options: Options) =>
  (await client.capture({ url: site + path, ...small, response_type: "json", ...options })).json();

const metadataOf = async (path: string, ...names: string[]) => (await resultOf(path, flags(...names))).metadata;

describe("metadata: in JSON", () => {
  test("is omitted when it was not requested", async () => {
    expect(await resultOf("/meta", {})).not.toHaveProperty("metadata");
    expect(Object.keys(await metadataOf("/meta", "icon"))).toEqual(["icon"]);
  });

  test("contains what the page says about itself", async () => {
    expect(await metadataOf("/meta", "page_title", "open_graph", "icon")).toEqual({
      page_title: META.title,
      open_graph: {
        title: "Open fixtures",
        type: "article",
        url: "https://fixture.example/meta",
        image: ["/og-1.png", "https://cdn.example/og-2.png"],
      },
      icon: expect.stringMatching(/\.(png|ico)$/),
    });
  });

  test("contains the HTTP response with its redirects", async () => {
    const both = await metadataOf("/redirect", "http_response_status_code", "http_response_headers");
    expect(both).toEqual({
      http_response: {
        status_code: 200,
        headers: expect.objectContaining({ "content-type": "text/html; charset=utf-8" }),
        final_url: `${site}/box`,
        redirects: [{ url: `${site}/redirect`, status_code: 302 }],
      },
    });
    const status = await metadataOf("/redirect", "http_response_status_code");
    expect(Object.keys(status.http_response)).toEqual(["status_code", "final_url", "redirects"]);
    const error = await resultOf("/not-found", { ignore_host_errors: "true", ...flags("http_response_status_code") });
    expect(error.metadata.http_response.status_code).toBe(404);
  });

  test("contains the size and the colours of the delivered image", async () => {
    const options = { device_scale_factor: "2", image_width: "100", ...flags("image_size", "palette") };
    const { metadata } = await resultOf("/green-on-load?after=0", options);
    expect(metadata.image_size).toEqual({ width: 100, height: 50 });
    const [first, second] = metadata.palette;
    expect([first.colour, second.colour]).toEqual(["#ffffff", "#008000"]);
    expect(first.share).toBeGreaterThan(0.6);
  });

  test("contains the console messages and the requests of the page", async () => {
    const html = `<script>console.warn("careful", 7); fetch("${site}/open.json"); setTimeout(() => { throw new RangeError("far") })</script>`;
    const response = await client.capture({ html, ...small, response_type: "json", ...flags("console", "requests") });
    const { metadata } = await response.json();
    expect(metadata.console.map(({ type, text }: Record<string, string>) => [type, text])).toEqual([
      ["warn", "careful 7"],
      ["exception", "RangeError: far"],
    ]);
    expect(metadata.requests).toMatchObject({
      count: 1,
      failed: 0,
      by_type: { fetch: 1 },
      list: [{ url: `${site}/open.json`, method: "GET", status_code: 200, failed: null }],
    });
  });

  sampled(test, 3).each([
    ["html by default", {}, /<h1>How to read a page<\/h1>/],
    ["markdown", { metadata_content_format: "markdown" }, /^# How to read a page$/m],
    ["text", { metadata_content_format: "text" }, /^How to read a page$/m],
  ])("contains the content as %s", async (_, options, expected) => {
    const { metadata } = await resultOf("/documents/article", { ...flags("content"), ...options });
    expect(Object.keys(metadata)).toEqual(["content"]);
    expect(metadata.content).toMatch(expected);
  });
});

describe("metadata: include_shadow_dom", () => {
  const [declared = "", nested = "", slotted = ""] = SHADOW_TEXTS;

  sampled(test, 6).each(["html", "markdown", "text"])(
    "adds shadow roots to the content as %s",
    async (metadata_content_format) => {
      const contentOf = async (more: Options) =>
        (await resultOf("/shadow", { ...flags("content"), metadata_content_format, ...more })).metadata.content;
      const [without, within] = [await contentOf({}), await contentOf({ include_shadow_dom: "true" })];
      expect([declared, nested, slotted].map((text) => within.includes(text))).toEqual([true, true, true]);
      expect([declared, slotted].map((text) => without.includes(text))).toEqual([false, true]);
    },
  );
});

describe("metadata: in headers", () => {
  const requested = flags("page_title", "image_size", "http_response_status_code");
  const reported = async (options: Options) => {
    const { headers } = await client.capture({ ...small, ...options });
    return Object.fromEntries(
      ["page-title", "image-width", "image-height", "source-status-code"].map((name) => [
        name,
        headers.get(`x-${name}`),
      ]),
    );
  };

  test("contains title, size and status with the bytes of an image", async () => {
    expect(await reported({ url: `${site}/meta`, ...requested })).toEqual({
      "page-title": encodeURIComponent(META.title),
      "image-width": "200",
      "image-height": "100",
      "source-status-code": "200",
    });
  });

  test("is omitted when it was not requested", async () => {
    const nothing = { "page-title": null, "image-width": null, "image-height": null, "source-status-code": null };
    expect(await reported({ url: `${site}/meta` })).toEqual(nothing);
    expect(await reported({ url: `${site}/no-meta`, ...flags("page_title") })).toEqual(nothing);
  });

  test("contains a title of any characters, percent-encoded", async () => {
    const title = "Grüße – 你好\n😀 100 %";
    const { "page-title": header } = await reported({ html: `<title>${title}</title>`, ...flags("page_title") });
    expect(decodeURIComponent(header ?? "")).toBe("Grüße – 你好 😀 100 %");
  });
});

describe("metadata: format json", () => {
  const jsonOf = async (options: Options) => client.capture({ format: "json", ...options });

  test("contains the default facts when none is named", async () => {
    const response = await jsonOf({ url: `${site}/meta` });
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const facts = await response.json();
    expect(Object.keys(facts)).toEqual(["page_title", "open_graph", "icon", "links", "http_response"]);
    expect(facts).toMatchObject({ page_title: META.title, http_response: { status_code: 200, redirects: [] } });
    expect(facts.http_response.headers).toHaveProperty("content-type");
  });

  test("of HTML input has no HTTP response", async () => {
    const facts = await (await jsonOf({ html: "<title>Own</title>" })).json();
    expect(facts).toEqual({ page_title: "Own", open_graph: {}, icon: null, links: [] });
  });

  test("is stored as a file of its own, with the same facts in the response", async () => {
    const result = await (await jsonOf({ url: `${site}/meta`, response_type: "json" })).json();
    expect(result.mime_type).toBe("application/json; charset=utf-8");
    const stored = await fetch(result.url);
    expect(stored.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const facts = await stored.json();
    expect(facts.page_title).toBe(META.title);
    expect(result.metadata).toEqual(facts);
  });
});
