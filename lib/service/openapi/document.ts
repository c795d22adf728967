// The OpenAPI document: paths, response schemas and headers of the API.
import type { JsonSchema } from "../../contract/options/option.ts";
import { bulkRequestSchemas } from "../bulk/request-schemas.ts";
import { apiRoutes } from "../routes.ts";
import { webhooks } from "../webhooks/webhook-operations.ts";
import { withRateLimit } from "./account-limits.ts";
import { headers } from "./headers.ts";
import { captureOptionsSchema, captureOutputSchema } from "./option-schemas.ts";
import { limitTable } from "./reference-tables.ts";
import { responseSchemas } from "./response-schemas.ts";
import { bodySchemas, routePaths } from "./route-operations.ts";
import { shareComponents } from "./shared-components.ts";

/**
 * The OpenAPI document of the API at `serverUrl`, which has no trailing slash.
 * See https://spec.openapis.org/oas/v3.1.1; its schemas are JSON Schema 2020-12.
 */
export function openapiDocument(serverUrl: string): JsonSchema {
  const { paths, responses, parameters } = shareComponents(apiPaths(serverUrl));
  return {
    openapi: "3.1.1",
    info: {
      title: "Screen Capture API",
      version: "1",
      summary: "Captures a URL, HTML, or Markdown as an image, video, PDF, or document.",
      description: `${description}\n\n${limits}\n\n${limitTable()}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [
      { name: "Captures", description: "Capture pages." },
      { name: "Results", description: "Stored results, by their signed links." },
      { name: "Usage", description: "Your captures, and statistics of them." },
      { name: "Account", description: "Your plan, usage, and costs." },
      { name: "Keys", description: "Your API keys. Requires an API key with the scope `keys`." },
      { name: "Webhooks", description: "Saved receivers of webhooks, their deliveries, and their secrets." },
      { name: "Service", description: "The service itself." },
    ],
    paths,
    webhooks,
    components: {
      schemas: {
        CaptureOptions: captureOptionsSchema(),
        CaptureOutput: captureOutputSchema(),
        ...bodySchemas(apiRoutes),
        ...bulkRequestSchemas(),
        ...responseSchemas(),
      },
      responses,
      parameters,
      headers,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "Send the API key as `Authorization: Bearer <key>`. If you can't set a header, every operation also accepts the " +
            "query parameter `access_key`.",
        },
      },
    },
  };
}

/** The operations of each path, complete in themselves: without references to shared responses and parameters. */
export function apiPaths(serverUrl: string) {
  return withRateLimit(routePaths(apiRoutes, serverUrl));
}

const description =
  "Every error is JSON with a stable `code` and a sentence that says how to fix it. You can send options as text, too: " +
  "`true` and `1` for true, decimal numbers, and lists as repeated parameters or JSON. Options that are unknown or that " +
  "conflict are rejected, never ignored. Your plan sets how many requests you can send in any 60 seconds; the " +
  "`X-RateLimit-*` headers of every response show how many are left. Every path that takes GET also takes HEAD, which answers " +
  "with the same headers and no body, and counts and costs the same.";

const limits =
  "These limits apply to each capture, unless the service is deployed with others. The error of a capture that exceeds one " +
  "names it in `details.limit`, with its value in `details.allows`.";
