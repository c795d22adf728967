// Errors as OpenAPI shows them: their JSON, and the answers of an operation that fails.
import { type ErrorCode, errorKinds } from "../../errors/api-error.ts";
import type { JsonSchema } from "../../options/option.ts";
import { always, headerRefs } from "./headers.ts";
import { object } from "./object-schema.ts";
import { timestampOrNull } from "./timestamp-schemas.ts";

export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: "object",
    required: ["error", "code", "request_id", "retryable"],
    properties: {
      error: { type: "string", description: "One sentence: what failed, why, and what to do." },
      code: { $ref: "#/components/schemas/ErrorCode" },
      details: {
        type: "object",
        description:
          "Options, or other parts of the request or capture, with their messages; or figures that explain the error.",
        additionalProperties: {
          anyOf: [{ type: "array", items: { type: "string" } }, { type: ["number", "string", "null"] }],
        },
      },
      request_id: {
        type: ["integer", "string"],
        description:
          "Number of the request; where the gateway refused it before a function gave it one, the gateway's own id, a UUID.",
      },
      retryable: { type: "boolean", description: "True where the same request can succeed a moment later." },
      target: { $ref: "#/components/schemas/Target" },
    },
  },
  QuotaExceeded: {
    description: "The error of a capture for which nothing is left.",
    allOf: [{ $ref: "#/components/schemas/Error" }],
    ...object({
      code: { type: "string", const: "QUOTA_EXCEEDED" },
      details: object({
        quota: { type: "string", enum: ["screenshots", "videos", "captures"], description: "What is used up." },
        limit: { type: "integer", minimum: 0, description: "Captures that it holds." },
        used: {
          type: "integer",
          minimum: 0,
          description: "Captures that are taken of it, those included that are being taken at this moment.",
        },
        resets_at: {
          ...timestampOrNull,
          description: "When it begins anew; null for a trial, which does not.",
        },
      }),
    }),
    examples: [
      {
        error: "The free trial is used up: 300 of 300 screenshots are taken. Choose a paid plan to continue.",
        code: "QUOTA_EXCEEDED",
        details: { quota: "screenshots", limit: 300, used: 300, resets_at: null },
        request_id: 243680361387214,
        retryable: false,
      },
    ],
  },
  ErrorCode: {
    type: "string",
    enum: Object.keys(errorKinds),
    description: Object.entries(errorKinds)
      .map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`)
      .join("\n"),
  },
  Target: {
    type: "object",
    description: "What is known of the page a failed capture was aimed at, where it was reached or tried.",
    required: ["http_status_code", "net_error", "final_url"],
    properties: {
      http_status_code: {
        type: ["integer", "null"],
        description: "Status the page's own server answered; null when it never did.",
      },
      net_error: { type: ["string", "null"], examples: ["net::ERR_CONNECTION_REFUSED"] },
      final_url: { type: ["string", "null"] },
    },
  },
};

/** The answers of an operation that fails with one of these codes, by status, and those that every operation can have. */
export function errorResponses(...codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const all = new Set<ErrorCode>([...codes, "BAD_REQUEST", "INTERNAL_ERROR"]);
  const byStatus = Map.groupBy(all, (code) => String(errorKinds[code].status));
  return {
    ...Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, meanings(group))])),
    "429": errorResponse("429", THROTTLED),
    "502": { description: NO_ANSWER, content: errorContent("Error") },
  };
}

/** Any operation can be refused like this, by the gateway before a function is asked. */
const THROTTLED =
  "The service has too many requests, of all callers together; try again after the seconds in `Retry-After`.";

/** The gateway's own answer, without the headers of a function. */
const NO_ANSWER =
  "`INTERNAL_ERROR`: the function ended before it answered, as when the service is stopped. Send the request again.";

function meanings(codes: readonly ErrorCode[]): string {
  const [first] = codes;
  const lines = codes.map((code) => `- \`${code}\`: ${errorKinds[code].meaning}`);
  return codes.length === 1 && first ? errorKinds[first].meaning : lines.join("\n");
}

function errorResponse(status: string, description: string): JsonSchema {
  const schema = status === "402" ? "QuotaExceeded" : "Error";
  return {
    description,
    headers: {
      ...headerRefs(...always),
      ...(status === "401" && headerRefs("WWW-Authenticate")),
      ...(status === "416" && headerRefs("Content-Range")),
      ...(status === "429" && headerRefs("Retry-After")),
    },
    content: errorContent(schema),
  };
}

function errorContent(schema: string): JsonSchema {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
}
