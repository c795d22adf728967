// The failure of a capture in flight, serialized, so that the requests that wait for it fail with the same error.
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";

const SharedFailureSchema = v.object({
  code: v.picklist(Object.keys(errorKinds) as ErrorCode[]),
  message: v.string(),
  details: v.optional(v.record(v.string(), v.array(v.string()))),
  figures: v.optional(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
  target: v.optional(
    v.object({
      http_status_code: v.nullable(v.number()),
      net_error: v.nullable(v.string()),
      final_url: v.nullable(v.string()),
      retry_after: v.exactOptional(v.number()),
    }),
  ),
});

/** The error as JSON, without its cause. */
export function toSharedFailure({ code, message, details, figures, target }: ApiError): string {
  return JSON.stringify({ code, message, details, figures, target });
}

/** The error that `toSharedFailure` serialized. */
export function fromSharedFailure(outcome: string): ApiError {
  const { code, message, details, figures, target } = v.parse(SharedFailureSchema, JSON.parse(outcome));
  return new ApiError(code, message, {
    ...(details && { details }),
    ...(figures && { figures }),
    ...(target && { target }),
  });
}
