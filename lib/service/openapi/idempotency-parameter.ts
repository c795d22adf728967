// The header `Idempotency-Key` in the OpenAPI document: every POST takes it.
import type { JsonSchema } from "../../contract/options/option.ts";
import { keyRule } from "../http/idempotency-key.ts";

/** The parameter of an operation; `more` describes what is specific to this operation. */
export function idempotencyKeyParameter(more: string): JsonSchema {
  return {
    name: "Idempotency-Key",
    in: "header",
    description:
      `A unique name for the request that you choose: ${keyRule}. If you repeat the request within 24 ` +
      "hours with the same name and options, the service doesn't process it again: it returns the first response, with the " +
      `header \`Idempotent-Replayed\`. Repetitions count for the rate limit. ${more} Responses with the status 402, 409, 429, ` +
      "or 5xx and validation errors aren't kept: after them, a repetition is processed. Methods other than POST reject " +
      "the header.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  };
}
