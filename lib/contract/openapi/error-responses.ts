// Errors as OpenAPI shows them: their JSON, and the answers of an operation that fails.
import { type ErrorCode, errorKinds } from "../errors.ts";
import type { JsonSchema } from "../option.ts";
import { always, headerRefs } from "./headers.ts";

export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: "object",
    required: ["error", "code", "request_id", "retryable"],
    properties: {
      error: { type: "string", description: "One sentence: what failed, why, and what to do." },
      code: { $ref: "#/components/schemas/ErrorCode" },
      details: {
        type: "object",
        description: "Options, or other parts of the request or capture, with their messages.",
        additionalProperties: { type: "array", items: { type: "string" } },
      },
      request_id: {
        type: ["integer", "null"],
        description: "Number of the request; null where it was refused before it was given one.",
      },
      retryable: { type: "boolean", description: "True where the same request can succeed a moment later." },
      target: { $ref: "#/components/schemas/Target" },
    },
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

/** The answers of an operation that fails with one of these codes, by status; these are joined by those of all. */
export function errorResponses(...codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const byStatus = Map.groupBy([...codes, "RATE_LIMITED", "INTERNAL_ERROR"] as const, (code) =>
    String(errorKinds[code].status),
  );
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, group)]));
}

function errorResponse(status: string, codes: readonly ErrorCode[]): JsonSchema {
  const [first] = codes;
  const lines = codes.map((code) => `- \`${code}\`: ${errorKinds[code].meaning}`);
  return {
    description: codes.length === 1 && first ? errorKinds[first].meaning : lines.join("\n"),
    headers: {
      ...headerRefs(...always),
      ...(status === "401" && headerRefs("WWW-Authenticate")),
      ...(status === "429" && headerRefs("Retry-After")),
    },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}
