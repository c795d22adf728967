// What is told about a captured page, as OpenAPI shows it.
import type { JsonSchema } from "../../options/option.ts";
import { object } from "../openapi/object-schema.ts";

const list = (items: JsonSchema, description: string): JsonSchema => ({ type: "array", description, items });

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const oneOrMore = { anyOf: [text, { type: "array", items: text }] };
const count = { type: "integer", minimum: 0 };
const pixels = { type: "integer", minimum: 1 };
const status = { type: "integer" };

const response: JsonSchema = object(
  {
    status_code: status,
    headers: {
      type: "object",
      description: "Names in lower case; with `metadata_http_response_headers`.",
      additionalProperties: oneOrMore,
    },
    final_url: text,
    redirects: list(object({ url: text, status_code: status }), "The addresses that led to the final one, in order."),
  },
  ["headers"],
);

const request: JsonSchema = object({
  url: text,
  method: text,
  type: { type: "string", description: "`document`, `image`, `fetch`, `websocket`, …" },
  status_code: { type: ["integer", "null"], description: "Null while there is no answer." },
  bytes: { type: "integer", minimum: 0, description: "Bytes received, compressed as they came." },
  failed: { type: ["string", "null"], description: "Why there is no answer.", examples: ["net::ERR_FAILED"] },
});

const blocked: JsonSchema = {
  ...object(
    {
      requests: { ...count, description: "Requests that were not let through." },
      cookie_banner: {
        ...object({
          platform: { type: "string", description: "The consent platform.", examples: ["OneTrust"] },
          closed_by: { type: "string", enum: ["rejecting", "accepting", "hiding"] },
        }),
        description: "Absent where none was recognised.",
      },
      dialogs: {
        ...count,
        description: "Boxes over the page that were closed or taken away for their looks and words.",
      },
      unlocked: {
        type: "boolean",
        description: "True where a page could not be scrolled, or was blurred, and now is not.",
      },
    },
    ["cookie_banner"],
  ),
  description: "What was kept out of the page, or closed; with `block_*`.",
};

/** Each is there only where it was asked for. */
export const metadataProperties: Readonly<Record<string, JsonSchema>> = {
  page_title: { ...textOrNull, description: "Null where the page has none." },
  open_graph: {
    type: "object",
    description: "Open Graph properties without their `og:`; what is there several times is a list.",
    additionalProperties: oneOrMore,
  },
  icon: { ...textOrNull, description: "Address of the page's icon." },
  fonts: list(
    object({
      family: text,
      web_font: { type: "boolean", description: "True for a font the page brought along." },
    }),
    "The fonts in which text was painted, the one with the most text first.",
  ),
  image_size: object({ width: pixels, height: pixels }),
  http_response: {
    description: "What the page's server answered; null where the document came from none.",
    anyOf: [response, { type: "null" }],
  },
  content: { type: "string", description: "The content of the page, in `metadata_content_format`." },
  links: list(object({ url: text, text }), "The links of the page."),
  palette: list(
    object({
      colour: { type: "string", pattern: "^#[0-9a-f]{6}$" },
      share: { type: "number", minimum: 0, maximum: 1, description: "Part of the visible pixels that look like it." },
    }),
    "The dominating colours of the image, most frequent first.",
  ),
  blocked,
  console: list(
    object({
      type: { type: "string", description: "`log`, `warn`, `error`, …; `exception` for an error nobody caught." },
      text,
      url: textOrNull,
      line: { type: ["integer", "null"] },
    }),
    "What the page wrote to its console, oldest first.",
  ),
  requests: object({
    count,
    failed: count,
    bytes: count,
    by_type: { type: "object", additionalProperties: count },
    list: list(request, "The first requests, in the order in which they began."),
  }),
};
