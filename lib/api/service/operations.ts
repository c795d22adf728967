// The OpenAPI operations of the service itself.
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { jsonResponses } from "../openapi/success-responses.ts";

const tags = ["Service"];

/** These operations need no API key. */
const security: readonly JsonSchema[] = [];

export const health = (): JsonSchema => ({
  operationId: "getHealth",
  tags,
  summary: "Check that the service is running",
  description:
    "Also says whether captures work, and lists the versions of Chromium and of the filter lists that detect ads, trackers, " +
    "and the like.",
  security,
  responses: {
    ...jsonResponses("GET /health", { 200: "The service is running." }),
    ...errorResponses("VALIDATION_ERROR"),
  },
});

export const openapi = (): JsonSchema => ({
  operationId: "getOpenapiDocument",
  tags,
  summary: "Get this OpenAPI document",
  security,
  responses: {
    ...jsonResponses("GET /api/v1/openapi.json", { 200: "The OpenAPI document of this API." }),
    ...errorResponses("VALIDATION_ERROR"),
  },
});
