// The body of a bulk request, as the OpenAPI document shows it.
import type { JsonSchema } from "../../options/option.ts";
import { bodyProperties, captureOptionsSchema } from "../openapi/option-schemas.ts";
import { bulkEntries } from "./bulk-options.ts";

export const bulkRequestSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Bulk: {
    type: "object",
    required: ["requests"],
    properties: bodyProperties(bulkEntries),
    additionalProperties: false,
    examples: [
      {
        options: { format: "webp", full_page: true },
        requests: [{ url: "https://example.com" }, { url: "https://example.org", format: "pdf", full_page: false }],
      },
    ],
  },
  BulkOptions: {
    type: "object",
    description: "Capture options. A capture uses its own options, then the shared `options`.",
    properties: Object.fromEntries(
      Object.keys(captureOptionsSchema()["properties"] as object).map((name) => [
        name,
        { $ref: `#/components/schemas/CaptureOptions/properties/${name}` },
      ]),
    ),
    additionalProperties: false,
  },
});
