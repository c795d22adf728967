// The OpenAPI operations on stored results, which are read by their signed links.
import type { JsonSchema } from "../../options/option.ts";
import { resultContents } from "../openapi/contents.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { headerRefs, standardHeaders } from "../openapi/headers.ts";

const tags = ["Results"];

/** A signed link needs no API key. */
const security: readonly JsonSchema[] = [];

const parameter = (place: "path" | "query", name: string, description: string): JsonSchema => ({
  name,
  in: place,
  required: true,
  description,
  schema: { type: "string" },
});

/** The parameters of a signed link. */
export const linkParameters: readonly JsonSchema[] = [
  parameter("path", "lifetime", "How long the result is stored."),
  parameter("path", "name", "Name of the result."),
  parameter("query", "e", "When the link expires, in seconds since 1970."),
  parameter("query", "s", "Signature of the link."),
];

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

const conditions: readonly JsonSchema[] = [
  header("If-None-Match", "ETags of results that you already have, or `*`. If one matches, the response is 304."),
];

const resultHeaders = headerRefs(...standardHeaders, "ETag", "Accept-Ranges", "Content-Disposition");

const notModified: JsonSchema = {
  description: "You already have the result: its ETag is in `If-None-Match`.",
  headers: headerRefs(...standardHeaders, "ETag"),
};

export const getResult = (): JsonSchema => ({
  operationId: "getResult",
  tags,
  summary: "Download a stored result by its signed link",
  description:
    "Use the link exactly as you received it. For images, videos, and PDFs over 10 MB, the response is a redirect to the " +
    "bucket. Follow it; with curl, use `-L`. A service can be deployed with another limit. HEAD is never redirected, so it tells " +
    "the size of any result.",
  security,
  parameters: [
    ...conditions,
    header("Range", "One range of bytes, such as `bytes=0-999`. Anything else is ignored."),
    header("If-Range", "ETag of the result that `Range` refers to. If the result has changed, you get all of it."),
  ],
  responses: {
    "200": { description: "The result.", headers: resultHeaders, content: resultContents(200) },
    "206": {
      description: "The requested range of the result.",
      headers: { ...resultHeaders, ...headerRefs("Content-Range") },
      content: resultContents(206),
    },
    "302": {
      description: "Download the result from the URL in `Location`.",
      headers: headerRefs(...standardHeaders, "Location"),
      content: { "text/plain": { schema: { type: "string" } } },
    },
    "304": notModified,
    ...errorResponses("VALIDATION_ERROR", "NOT_FOUND", "GONE", "RANGE_NOT_SATISFIABLE"),
  },
});
