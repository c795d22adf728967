// What the usage reports answer, as OpenAPI shows it.
import { formats } from "../../options/formats.ts";
import type { JsonSchema } from "../../options/option.ts";
import { object } from "../openapi/object-schema.ts";
import { microsecondTimestamp } from "../openapi/timestamp-schemas.ts";

const count = { type: "integer", minimum: 0 };
const milliseconds = { type: "integer", minimum: 0 };
const id = { type: "integer" };

export const usageSchemas: Readonly<Record<string, JsonSchema>> = {
  CaptureLog: object({
    id: { type: "integer", description: "The number of the request." },
    user_id: { type: "integer", description: "The account." },
    api_key_id: id,
    url: { type: "string", description: "The address as it was sent; empty for HTML and Markdown." },
    options: { type: "object", description: "The options as they were sent, without secrets; long texts are cut." },
    format: { type: "string", enum: [...formats] },
    status: { type: "string", enum: ["success", "failed"] },
    http_status_code: {
      type: ["integer", "null"],
      description: "Status the page's server answered, of a capture that failed.",
    },
    error_message: { type: ["string", "null"], description: "Code and sentence of the error." },
    response_time_ms: milliseconds,
    file_size_bytes: count,
    cached: { type: "boolean" },
    ip_address: { type: "string" },
    created_at: { ...microsecondTimestamp, description: "When it was asked for, with microseconds." },
    api_key: object({ id, label: { type: "string" }, key_prefix: { type: "string" } }),
  }),
  UsagePage: object({
    current_page: { type: "integer", minimum: 1 },
    data: { type: "array", items: { $ref: "#/components/schemas/CaptureLog" } },
    first_page_url: { type: "string", format: "uri" },
    from: {
      type: ["integer", "null"],
      description: "Place in the list of the first on this page; null if it is empty.",
    },
    to: { type: ["integer", "null"], description: "Place in the list of the last on this page." },
    last_page: { type: "integer", minimum: 1 },
    per_page: { type: "integer", minimum: 1 },
    total: count,
  }),
  UsageStatistics: object({
    series: {
      type: "array",
      description: "Every day of the range, newest first.",
      items: object({
        date: { type: "string", format: "date" },
        success: count,
        failed: count,
        avg_ms: milliseconds,
      }),
    },
    total: count,
    total_success: count,
    total_failed: count,
    success_rate: {
      type: "integer",
      minimum: 0,
      maximum: 100,
      description: "Whole percentage of captures that succeeded; 0 where there were none.",
    },
    avg_response_ms: milliseconds,
  }),
};
