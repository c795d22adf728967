// Several captures in one request as OpenAPI shows them.

import type { JsonSchema } from "../../options/option.ts";
import { jobSchemas } from "../jobs/schemas.ts";
import { object } from "../openapi/object-schema.ts";
import { bodyProperties, captureOptionsSchema } from "../openapi/option-schemas.ts";
import { bulkEntries } from "./bulk-options.ts";

const state = jobSchemas["CaptureState"] as { properties: Record<string, JsonSchema>; required: readonly string[] };

export const bulkSchemas = (): Readonly<Record<string, JsonSchema>> => ({
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
    description: "Options of captures as they are sent alone, where what one lacks may be in those of all.",
    properties: Object.fromEntries(
      Object.keys(captureOptionsSchema()["properties"] as object).map((name) => [
        name,
        { $ref: `#/components/schemas/CaptureOptions/properties/${name}` },
      ]),
    ),
    additionalProperties: false,
  },
  BulkCaptures: object({
    data: {
      type: "array",
      description: "The captures in the order of the requests.",
      items: { anyOf: ["BulkCapture", "RefusedCapture"].map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    },
  }),
  BulkCapture: {
    type: "object",
    description: "The state of a capture, and where it is told from now on.",
    required: [...state.required, "status_url"],
    properties: {
      ...state.properties,
      status_url: { type: "string", format: "uri", description: "Where its state is told." },
    },
  },
  RefusedCapture: {
    description: "A capture that is not taken, because of the quota or a limit of the account.",
    ...object({
      status: { type: "string", const: "refused" },
      error: { $ref: "#/components/schemas/Error" },
    }),
  },
});
