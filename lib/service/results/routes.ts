// The route of stored results, which are read by their signed links.
import type { JsonSchema } from "../../contract/options/option.ts";
import { PageElementsResponse } from "../captures/element-responses.ts";
import { CaptureMetadataResponse } from "../captures/metadata-responses.ts";
import { defineRoute } from "../http/define-route.ts";

const parameter = (place: "path" | "query", name: string, description: string): JsonSchema => ({
  name,
  in: place,
  required: true,
  description,
  schema: { type: "string" },
});

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

const resultHeaders = ["ETag", "Accept-Ranges", "Content-Disposition"] as const;

export const getResultRoute = defineRoute({
  method: "GET",
  path: "/storage/{key+}",
  functionName: "api",
  access: "public", // the signature of the link stands for an API key
  deadlineSeconds: 120,
  env: ["ACCOUNTS_TABLE", "RESULTS_BUCKET", "MAX_STREAMED_RESULT_BYTES"],
  operation: {
    id: "getResult",
    tag: "Results",
    path: "/storage/{lifetime}/{name}",
    pathParameters: [
      parameter("path", "lifetime", "How long the result is stored."),
      parameter("path", "name", "Name of the result."),
      parameter("query", "e", "When the link expires, in seconds since 1970."),
      parameter("query", "s", "Signature of the link."),
    ],
    summary: "Download a stored result by its signed link",
    description:
      "Use the link exactly as you received it. For images, videos, and PDFs over 10 MB, the response is a redirect to the " +
      "bucket. Follow it; with curl, use `-L`. A service can be deployed with another limit. HEAD is never redirected, so it tells " +
      "the size of any result.",
    parameters: [
      header("If-None-Match", "ETags of results that you already have, or `*`. If one matches, the response is 304."),
      header("Range", "One range of bytes, such as `bytes=0-999`. Anything else is ignored."),
      header("If-Range", "ETag of the result that `Range` refers to. If the result has changed, you get all of it."),
    ],
    errors: ["NOT_FOUND", "GONE", "ACCOUNT_SUSPENDED", "RANGE_NOT_SATISFIABLE"],
  },
  responses: {
    200: {
      description: "The result.",
      json: [CaptureMetadataResponse, PageElementsResponse],
      content: "result",
      headers: resultHeaders,
    },
    206: {
      description: "The requested range of the result.",
      json: [CaptureMetadataResponse, PageElementsResponse],
      content: "result",
      headers: [...resultHeaders, "Content-Range"],
    },
    302: {
      description: "Download the result from the URL in `Location`.",
      content: { "text/plain": { type: "string" } },
      headers: ["Location"],
    },
    304: { description: "You already have the result: its ETag is in `If-None-Match`.", headers: ["ETag"] },
  },
  handler: async () => (await import("./serve-result.ts")).getResult,
});
