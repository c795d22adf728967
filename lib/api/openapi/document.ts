// The description of the API for programs: an OpenAPI document made from the contract.
import type { JsonSchema } from "../../options/option.ts";
import { getAccount, listInvoices } from "../account/operations.ts";
import { accountSchemas } from "../account/schemas.ts";
import { captureBulk } from "../bulk/operations.ts";
import { bulkSchemas } from "../bulk/schemas.ts";
import { deleteJobResult, getJob, jobParameters } from "../jobs/operations.ts";
import { jobSchemas } from "../jobs/schemas.ts";
import { redeliverWebhook, webhookSchemas, webhooks } from "../jobs/webhook-operations.ts";
import { changeKey, createKey, getKey, keyParameters, listKeys, revokeKey, rotateKey } from "../keys/operations.ts";
import { keySchemas } from "../keys/schemas.ts";
import { capture, captureByQuery } from "../screenshot/operations.ts";
import { resultSchemas } from "../screenshot/schemas.ts";
import { usageSchemas } from "../usage/schemas.ts";
import { withRateLimit } from "./account-limits.ts";
import { errorSchemas } from "./error-responses.ts";
import { withHead } from "./head-operations.ts";
import { headers } from "./headers.ts";
import { captureOptionsSchema } from "./option-schemas.ts";
import {
  checkResult,
  getResult,
  health,
  linkParameters,
  listCaptures,
  openapi,
  usageStatistics,
} from "./other-operations.ts";
import { limitTable } from "./reference-tables.ts";

/**
 * The document of the API that answers at `serverUrl`, which has no trailing slash.
 * See https://spec.openapis.org/oas/v3.1.1; its schemas are JSON Schema 2020-12.
 */
export function openapiDocument(serverUrl: string): JsonSchema {
  return {
    openapi: "3.1.1",
    info: {
      title: "Screen Capture API",
      version: "1",
      summary: "Captures a URL, HTML or Markdown as an image, a PDF or a document.",
      description: `${description}\n\n${limits}\n\n${limitTable()}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [
      { name: "Captures", description: "Capture a page." },
      { name: "Results", description: "Stored captures, by their signed links." },
      { name: "Usage", description: "What the account has captured." },
      { name: "Account", description: "The plan of the account, what of it is used, and what that costs." },
      { name: "Keys", description: "The API keys of the account. Needs a key with the scope `keys`." },
      { name: "Service", description: "The service itself." },
    ],
    paths: withHead(
      withRateLimit({
        "/api/v1/screenshot": { get: captureByQuery(), post: capture() },
        "/api/v1/screenshot/{id}": { parameters: jobParameters, get: getJob(), delete: deleteJobResult() },
        "/api/v1/screenshot/{id}/webhook/redeliver": { parameters: jobParameters, post: redeliverWebhook() },
        "/api/v1/bulk": { post: captureBulk() },
        "/api/v1/usage": { get: listCaptures() },
        "/api/v1/usage/stats": { get: usageStatistics() },
        "/api/v1/account": { get: getAccount() },
        "/api/v1/account/invoices": { get: listInvoices() },
        "/api/v1/keys": { get: listKeys(), post: createKey() },
        "/api/v1/keys/{id}": { parameters: keyParameters, get: getKey(), patch: changeKey(), delete: revokeKey() },
        "/api/v1/keys/{id}/rotate": { parameters: keyParameters, post: rotateKey() },
        "/storage/{lifetime}/{name}": { parameters: linkParameters, get: getResult(), head: checkResult() },
        "/api/v1/openapi.json": { get: openapi() },
        "/health": { get: health() },
      }),
    ),
    webhooks,
    components: {
      schemas: {
        CaptureOptions: captureOptionsSchema(),
        ...resultSchemas,
        ...jobSchemas,
        ...bulkSchemas(),
        ...usageSchemas,
        ...accountSchemas,
        ...keySchemas(),
        ...webhookSchemas,
        ...errorSchemas,
      },
      headers,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "The API key: `Authorization: Bearer <key>`. Where no header can be set, every operation takes it as the " +
            "query parameter `access_key` as well.",
        },
      },
    },
  };
}

const description =
  "Every error is JSON with a `code` that stays the same and a sentence that says what to do. Options are accepted as " +
  "text, too: `true` and `1` for true, numbers in decimal, lists as repeated parameters or as JSON. An option that is " +
  "unknown or that contradicts another is refused, never ignored. An account may send as many requests in any 60 " +
  "seconds as its plan says; `X-RateLimit-*` in every answer tells how many are left.";

const limits =
  "A capture may use and make so much, unless the service has been given other limits. An error names the limit in " +
  "`details.limit` and tells in `details.allows` what it is.";
