// How a capture failed that others wait for, so that each of them can be told the same.
import * as v from "valibot";
import { ApiError } from "../errors/api-error.ts";
import { type ErrorCode, errorKinds } from "../errors/error-kinds.ts";

const OutcomeSchema = v.object({
  code: v.picklist(Object.keys(errorKinds) as ErrorCode[]),
  message: v.string(),
  details: v.optional(v.record(v.string(), v.array(v.string()))),
  figures: v.optional(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
  target: v.optional(
    v.object({
      http_status_code: v.nullable(v.number()),
      net_error: v.nullable(v.string()),
      final_url: v.nullable(v.string()),
    }),
  ),
});

/** The error as text, without its cause. */
export function toSharedFailure({ code, message, details, figures, target }: ApiError): string {
  return JSON.stringify({ code, message, details, figures, target });
}

/** The error that a text is of. */
export function fromSharedFailure(outcome: string): ApiError {
  const { code, message, details, figures, target } = v.parse(OutcomeSchema, JSON.parse(outcome));
  return new ApiError(code, message, {
    ...(details && { details }),
    ...(figures && { figures }),
    ...(target && { target }),
  });
}
