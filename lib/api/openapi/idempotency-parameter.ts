// The header `Idempotency-Key` as OpenAPI shows it: every POST takes it.
import type { JsonSchema } from "../../options/option.ts";
import { headerRefs } from "./headers.ts";

/** The parameter of an operation; `more` is what is true of this operation alone. */
export function idempotencyKeyParameter(more: string): JsonSchema {
  return {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A name of your own for the request, 1 to 255 visible ASCII characters. Sent again within 24 hours with the same name " +
      "and the same options it is not carried out again, but has the same answer, with `Idempotent-Replayed`. It counts " +
      `for the rate limit. ${more} Not kept are answers with 402, 409, 429 and 5xx, nor that options are wrong: the next ` +
      "request is carried out then. With another method than POST the header is refused.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  };
}

/** An answer that tells by a header whether it is repeated. */
export function withIdempotencyKey(answer: JsonSchema): JsonSchema {
  return { ...answer, headers: { ...(answer["headers"] as JsonSchema), ...headerRefs("Idempotent-Replayed") } };
}
