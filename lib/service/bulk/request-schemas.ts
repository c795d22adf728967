// The options of a capture in a bulk request, as the OpenAPI document shows them.
import type { JsonSchema } from "../../contract/options/option.ts";
import { captureOptionsSchema } from "../openapi/option-schemas.ts";

export const bulkRequestSchemas = (): Readonly<Record<string, JsonSchema>> => ({
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
