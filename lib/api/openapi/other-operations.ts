// The operations beside captures, as OpenAPI shows them: stored results, usage reports, and the service itself.
import { purposes } from "../../options/filter-purposes.ts";
import type { JsonSchema } from "../../options/option.ts";
import { listEntries, statisticsEntries } from "../../usage/usage-options.ts";
import { resultContents } from "./contents.ts";
import { errorResponses } from "./error-responses.ts";
import { always, headerRefs } from "./headers.ts";
import { queryParameters } from "./option-schemas.ts";

/** Needs no key. */
const open = { security: [] };

const parameter = (place: "path" | "query", name: string, description: string): JsonSchema => ({
  name,
  in: place,
  required: true,
  description,
  schema: { type: "string" },
});

/** A JSON answer. */
export const json = (description: string, schema: JsonSchema): JsonSchema => ({
  description,
  headers: headerRefs(...always),
  content: { "application/json": { schema } },
});

export const listCaptures = (): JsonSchema => ({
  operationId: "listCaptures",
  tags: ["Usage"],
  summary: "List the captures of the account, newest first",
  description:
    "All filters that are sent hold together. `total` is exact, and a page far back in the list costs what the first " +
    "one does. Captures that were attempted are listed; requests that were refused before are not. Needs a key with " +
    "the scope `usage`.",
  parameters: queryParameters(listEntries),
  responses: {
    "200": json("A page of the list.", { $ref: "#/components/schemas/UsagePage" }),
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN"),
  },
});

export const usageStatistics = (): JsonSchema => ({
  operationId: "getUsageStatistics",
  tags: ["Usage"],
  summary: "Count successes, failures and response times per day",
  description:
    "Over the last `days`, or from `from` to `to`, which are sent together and span at most 90 days. Needs a key with " +
    "the scope `usage`.",
  parameters: queryParameters(statisticsEntries),
  responses: {
    "200": json("The days and their sums.", { $ref: "#/components/schemas/UsageStatistics" }),
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN"),
  },
});

/** The parameters of a link, which is always used as it was given. */
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
  header("If-None-Match", "ETags of results that you have, or `*`: one of these is not sent again."),
];

const resultHeaders = headerRefs(...always, "ETag", "Accept-Ranges", "Content-Disposition");
const notModified: JsonSchema = {
  description: "`If-None-Match` says that you have the result.",
  headers: headerRefs(...always, "ETag"),
};

export const getResult = (): JsonSchema => ({
  operationId: "getResult",
  tags: ["Results"],
  summary: "Read a stored result by its signed link",
  description:
    "The link is used exactly as a capture answered it. Images, videos and PDFs of more than 6 MB are answered by a " +
    "redirect to the bucket, unless the service has another limit: follow it, with curl by `-L`.",
  ...open,
  parameters: [
    ...conditions,
    header("Range", "One range of bytes, such as `bytes=0-999`; any other is ignored."),
    header("If-Range", "ETag of the result of which `Range` is a part; of any other result you get all."),
  ],
  responses: {
    "200": { description: "The result.", headers: resultHeaders, content: resultContents() },
    "206": {
      description: "The range of the result.",
      headers: { ...resultHeaders, ...headerRefs("Content-Range") },
      content: resultContents(),
    },
    "302": {
      description: "The result is at the address in `Location`.",
      headers: headerRefs(...always, "Location"),
      content: { "text/plain": { schema: { type: "string" } } },
    },
    "304": notModified,
    ...errorResponses("VALIDATION_ERROR", "NOT_FOUND", "GONE", "RANGE_NOT_SATISFIABLE"),
  },
});

export const checkResult = (): JsonSchema => ({
  operationId: "checkResult",
  tags: ["Results"],
  summary: "See whether a stored result is still there, and how large it is",
  ...open,
  parameters: conditions,
  responses: {
    "200": { description: "It is there.", headers: resultHeaders },
    "304": notModified,
    ...errorResponses("VALIDATION_ERROR", "NOT_FOUND", "GONE"),
  },
});

const filterList: JsonSchema = {
  type: "object",
  required: ["purpose", "title", "version", "date"],
  properties: {
    purpose: { enum: purposes },
    title: { type: "string", examples: ["AdGuard Base filter"] },
    version: { type: "string", examples: ["2.4.54.72"] },
    date: { type: "string", format: "date", description: "When it was last changed." },
  },
};

export const health = (): JsonSchema => ({
  operationId: "getHealth",
  tags: ["Service"],
  summary: "See whether the service answers",
  description: "Tells the filter lists, too, by which captures know ads, trackers and the like.",
  ...open,
  responses: {
    "200": json("It does.", {
      type: "object",
      required: ["status", "lists"],
      properties: { status: { type: "string", const: "ok" }, lists: { type: "array", items: filterList } },
    }),
    ...errorResponses("VALIDATION_ERROR"),
  },
});

export const openapi = (): JsonSchema => ({
  operationId: "getOpenapiDocument",
  tags: ["Service"],
  summary: "Read this document",
  ...open,
  responses: {
    "200": json("The OpenAPI document of this API.", { type: "object" }),
    ...errorResponses("VALIDATION_ERROR"),
  },
});
