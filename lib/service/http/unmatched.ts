// Answers requests that no route matches: 204 for a CORS preflight, 405 for a known path, 404 for any other.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ApiRequest } from "./api-request.ts";
import { nothingExists } from "./nothing-exists.ts";
import { allowedMethods, crossOriginMethods, type PathMethods } from "./path-templates.ts";
import type { ApiResponse } from "./response.ts";

/**
 * Answers a CORS preflight. Throws `METHOD_NOT_ALLOWED` with `Allow` (RFC 9110, section 15.5.6), or `NOT_FOUND`, also for a route that
 * the stage leaves out.
 */
export function answerUnmatched(
  { method, path, isPrivate }: Pick<ApiRequest, "method" | "path" | "isPrivate">,
  known: PathMethods,
): ApiResponse {
  const methods = allowedMethods(path, known);
  if (method === "OPTIONS")
    return { status: 204, headers: isPrivate ? {} : preflight(crossOriginMethods(path, known)) };
  if (!methods) throw nothingExists();
  if (methods.some((each) => each === method))
    throw new ApiError("NOT_FOUND", "The operator of this service has turned this off.");
  const allow = [...methods, "OPTIONS"].join(", ");
  throw new ApiError("METHOD_NOT_ALLOWED", `This path doesn't support ${method}. Use ${methods.join(" or ")}.`, {
    headers: { Allow: allow },
  });
}

/** Where CORS is open, it is so to every origin, with a key in a header. A browser may cache that for a day. */
function preflight(methods: readonly string[] = []): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range",
    "Access-Control-Max-Age": "86400",
  };
}
