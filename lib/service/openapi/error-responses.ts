// The error responses of an operation in the OpenAPI document.
import type { GenericSchema } from "valibot";
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";
import { ErrorResponse } from "../../contract/errors/error-response.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import { QuotaExceeded } from "../billing/quota-exceeded.ts";
import { headerRefs, standardHeaders } from "./headers.ts";
import { responseRef } from "./response-schemas.ts";

/** The responses of an operation that fails with these codes, by status, and the errors that every operation can have. */
export function errorResponses(...codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const all = new Set<ErrorCode>([...codes, "BAD_REQUEST", "INTERNAL_ERROR"]);
  const byStatus = Map.groupBy(all, (code) => String(errorKinds[code].status));
  return {
    ...Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(status, meanings(group))])),
    "429": errorResponse("429", meanings429(byStatus.get("429") ?? [])),
    "502": { description: NO_RESPONSE, content: errorContent(ErrorResponse) },
  };
}

/** The errors of a request body that the service cannot read. */
export const bodyErrors = [
  "BAD_REQUEST",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
] as const satisfies readonly ErrorCode[];

/** API Gateway throttles all operations, before a function runs. */
const THROTTLED =
  "The service receives too many requests from all callers together. Wait for the seconds in `Retry-After`, then retry.";

/** API Gateway's own response, without the headers of a function. */
const NO_RESPONSE =
  "`INTERNAL_ERROR`: the process ended before it responded, for example because the service was stopped. Retry the " +
  "request.";

function meanings(codes: readonly ErrorCode[]): string {
  const [first] = codes;
  return codes.length === 1 && first ? errorKinds[first].meaning : meaningList(codes);
}

function meaningList(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `- \`${code}\`: ${errorKinds[code].meaning}`).join("\n");
}

/** The throttling of API Gateway, and what the operation itself limits. */
function meanings429(codes: readonly ErrorCode[]): string {
  return codes.length === 0 ? THROTTLED : `${THROTTLED}\n${meaningList(codes)}`;
}

function errorResponse(status: string, description: string): JsonSchema {
  return {
    description,
    headers: {
      ...headerRefs(...standardHeaders),
      ...(status === "401" && headerRefs("x-amzn-Remapped-WWW-Authenticate")),
      ...(status === "416" && headerRefs("Content-Range")),
      ...(status === "429" && headerRefs("Retry-After")),
    },
    content: errorContent(status === "402" ? QuotaExceeded : ErrorResponse),
  };
}

function errorContent(schema: GenericSchema): JsonSchema {
  return { "application/json": { schema: responseRef(schema) } };
}
