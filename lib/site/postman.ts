// A Postman collection of examples, with variables for the address and the key. Bruno and Insomnia import it, too.
// https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
import { BASE_URL } from "./site-files.ts";

interface Example {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

const CAPTURE = "/api/v1/screenshot";
const url = "https://example.com";

const examples: Readonly<Record<string, readonly Example[]>> = {
  Captures: [
    { name: "Screenshot of a page", path: CAPTURE, query: { url } },
    { name: "Full page as WebP", path: CAPTURE, query: { url, full_page: "true", format: "webp" } },
    { name: "One element", path: CAPTURE, query: { url, selector: "h1", device_scale_factor: "3" } },
    { name: "On a phone, dark", path: CAPTURE, query: { url, viewport_device: "iphone_15_pro", dark_mode: "true" } },
    {
      name: "Without ads and cookie banners",
      path: CAPTURE,
      query: { url, block_ads: "true", block_cookie_banners: "true" },
    },
    { name: "Thumbnail", path: CAPTURE, query: { url, image_width: "320", format: "jpeg" } },
    {
      name: "PDF",
      method: "POST",
      path: CAPTURE,
      json: { url, format: "pdf", pdf_paper_format: "a4", pdf_margin: "15mm" },
    },
    {
      name: "Image of HTML",
      method: "POST",
      path: CAPTURE,
      json: { html: "<h1>Invoice 42</h1>", viewport_height: 200 },
    },
    { name: "Image of Markdown", method: "POST", path: CAPTURE, json: { markdown: "# Hello", full_page: true } },
    { name: "Video of a scroll", path: CAPTURE, query: { url, format: "mp4", video_scenario: "scroll" } },
    { name: "Markdown of a page", path: CAPTURE, query: { url, format: "markdown" } },
    { name: "Stored, with a link", path: CAPTURE, query: { url, response_type: "json" } },
  ],
  "Asynchronous captures": [
    { name: "Start a capture", method: "POST", path: CAPTURE, json: { url, full_page: true, async: true } },
    { name: "Status of a capture", path: `${CAPTURE}/{{capture_id}}` },
    {
      name: "Several captures",
      method: "POST",
      path: "/api/v1/bulk",
      json: { options: { format: "webp" }, requests: [{ url }, { markdown: "# Hello" }] },
    },
  ],
  Account: [
    { name: "Plan and quota", path: "/api/v1/account" },
    { name: "List of captures", path: "/api/v1/usage", query: { per_page: "10" } },
    { name: "Statistics", path: "/api/v1/usage/stats", query: { days: "7" } },
    { name: "API keys", path: "/api/v1/keys" },
  ],
};

export function postmanCollection(): object {
  return {
    info: {
      name: "Screen Capture API",
      description: "Examples of the API. Set the variable api_key; base_url is filled in.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{api_key}}", type: "string" }] },
    variable: [
      { key: "base_url", value: BASE_URL, type: "string" },
      { key: "api_key", value: "", type: "string" },
      { key: "capture_id", value: "", type: "string" },
    ],
    item: Object.entries(examples).map(([name, items]) => ({ name, item: items.map(item) })),
  };
}

/** For the test that sends them. */
export const postmanExamples: readonly Example[] = Object.values(examples).flat();

function item({ name, method = "GET", path, query = {}, json }: Example): object {
  const parameters = Object.entries(query).map(([key, value]) => ({ key, value }));
  const search = parameters.length === 0 ? "" : `?${parameters.map(({ key, value }) => `${key}=${value}`).join("&")}`;
  return {
    name,
    request: {
      method,
      header: json === undefined ? [] : [{ key: "Content-Type", value: "application/json" }],
      url: {
        raw: `{{base_url}}${path}${search}`,
        host: ["{{base_url}}"],
        path: path.slice(1).split("/"),
        ...(parameters.length > 0 && { query: parameters }),
      },
      ...(json !== undefined && {
        body: { mode: "raw", raw: JSON.stringify(json, undefined, 2), options: { raw: { language: "json" } } },
      }),
    },
  };
}
