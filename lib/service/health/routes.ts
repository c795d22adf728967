// The routes of the service itself, which need no API key.
import { defineRoute } from "../http/define-route.ts";
import { Health, OpenapiDocument } from "./responses.ts";

const tag = "Service";

export const getHealthRoute = defineRoute({
  method: "GET",
  path: "/health",
  functionName: "web",
  access: "public",
  env: ["ACTIVITY_TABLE"],
  operation: {
    id: "getHealth",
    tag,
    summary: "Check that the service is running",
    description:
      "Also says whether captures work, and lists the versions of Chromium and of the filter lists that detect ads, trackers, " +
      "and the like.",
  },
  responses: { 200: { description: "The service is running.", json: [Health] } },
  handler: async () => (await import("./serve-health.ts")).getHealth,
});

export const getOpenapiDocumentRoute = defineRoute({
  method: "GET",
  path: "/api/v1/openapi.json",
  functionName: "web",
  access: "public",
  env: ["BASE_URL"],
  operation: { id: "getOpenapiDocument", tag, summary: "Get this OpenAPI document" },
  responses: { 200: { description: "The OpenAPI document of this API.", json: [OpenapiDocument] } },
  handler: async () => (await import("./serve-openapi.ts")).getOpenapiDocument,
});
