// A Postman collection of examples, with variables for the address and the key. Bruno and Insomnia import it, too.
// https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
import { BASE_URL } from "./site-files.ts";

type Query = Readonly<Record<string, string>>;

interface Example {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  readonly json?: unknown;
}

const CAPTURE = "/api/v1/screenshot";
const url = "https://example.com";

const get = (name: string, path: string, query: Query = {}): Example => ({ name, method: "GET", path, query });
const post = (name: string, path: string, json: object): Example => ({ name, method: "POST", path, json });

const examples: Readonly<Record<string, readonly Example[]>> = {
  Captures: [
    get("Screenshot of a page", CAPTURE, { url }),
    get("Full page as WebP", CAPTURE, { url, full_page: "true", format: "webp" }),
    get("One element", CAPTURE, { url, selector: "h1", device_scale_factor: "3" }),
    get("On a phone, dark", CAPTURE, { url, viewport_device: "iphone_15_pro", dark_mode: "true" }),
    get("Without ads and cookie banners", CAPTURE, { url, block_ads: "true", block_cookie_banners: "true" }),
    get("Thumbnail", CAPTURE, { url, image_width: "320", format: "jpeg" }),
    post("PDF", CAPTURE, { url, format: "pdf", pdf_paper_format: "a4", pdf_margin: "15mm" }),
    post("Image of HTML", CAPTURE, { html: "<h1>Invoice 42</h1>", viewport_height: 200 }),
    post("Image of Markdown", CAPTURE, { markdown: "# Hello", full_page: true }),
    get("Video of a scroll", CAPTURE, { url, format: "mp4", video_scenario: "scroll" }),
    get("Markdown of a page", CAPTURE, { url, format: "markdown" }),
    get("Stored, with a link", CAPTURE, { url, response_type: "json" }),
  ],
  "Asynchronous captures": [
    post("Start a capture", CAPTURE, { url, full_page: true, async: true }),
    get("Status of a capture", `${CAPTURE}/{{capture_id}}`),
    post("Several captures", "/api/v1/bulk", {
      options: { format: "webp" },
      requests: [{ url }, { markdown: "# Hello" }],
    }),
  ],
  Account: [
    get("Plan and quota", "/api/v1/account"),
    get("List of captures", "/api/v1/usage", { per_page: "10" }),
    get("Statistics", "/api/v1/usage/stats", { days: "7" }),
    get("API keys", "/api/v1/keys"),
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

function item({ name, method, path, query = {}, json }: Example): object {
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
