// What a capture answers in JSON, as OpenAPI shows it.
import type { JsonSchema } from "../../options/option.ts";
import { timestamp } from "../openapi/timestamp-schemas.ts";
import { metadataProperties } from "./metadata-schemas.ts";

const link = {
  type: "string",
  format: "uri",
  description: "Signed link to the stored result. It needs no key and works until it expires.",
};
const bytes = { type: "integer", minimum: 0 };

export const captureResultProperties = {
  url: link,
  expires_at: { ...timestamp, description: "When the link stops working." },
  mime_type: { type: "string", examples: ["image/png"] },
  file_size_bytes: bytes,
  response_time_ms: { type: "integer", minimum: 0, description: "Milliseconds the capture took." },
  from_cache: { type: "boolean" },
  request_id: { type: "integer", description: "Number of the request, increasing with time." },
  metadata: { $ref: "#/components/schemas/CaptureMetadata" },
  storage_location: {
    type: "string",
    description: "Address of the object in your own storage; with `storage_return_location`.",
  },
  slices: {
    type: "array",
    description: "The image once more in pieces, from the top; with `full_page_slices`.",
    items: { $ref: "#/components/schemas/Slice" },
  },
  warnings: {
    type: "array",
    description: "What is not as it was asked for, one sentence each; absent where nothing is.",
    items: { type: "string" },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const resultSchemas: Readonly<Record<string, JsonSchema>> = {
  CaptureResult: {
    type: "object",
    description: "A stored capture, with `response_type` json.",
    required: ["url", "expires_at", "mime_type", "file_size_bytes", "response_time_ms", "from_cache", "request_id"],
    properties: captureResultProperties,
  },
  Slice: {
    type: "object",
    required: ["url", "top", "height", "file_size_bytes"],
    properties: {
      url: link,
      top: { type: "integer", minimum: 0, description: "Pixels between the image's top and that of the slice." },
      height: { type: "integer", minimum: 1, description: "Height of the slice in pixels." },
      file_size_bytes: bytes,
    },
  },
  CaptureMetadata: {
    type: "object",
    description: "What was asked for by `metadata_*` and `block_*`; with `format` json it is the result itself.",
    properties: metadataProperties,
  },
};
