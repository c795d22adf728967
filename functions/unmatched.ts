// Requests that no route matches: 204 for a CORS preflight, 405 for a known path, 404 for any other.

import { apiHandler } from "../lib/api/http/api-handler.ts";
import { methodsOf } from "../lib/api/routes.ts";
import { ApiError } from "../lib/errors/api-error.ts";

export const handler = apiHandler(({ method, path }) => {
  const methods = methodsOf(path);
  if (method === "OPTIONS") return { status: 204, headers: preflight(methods ?? []) };
  if (!methods) throw new ApiError("NOT_FOUND", "There is nothing at this path. The API begins at /api/v1.");
  const allow = [...methods, "OPTIONS"].join(", ");
  throw new ApiError("METHOD_NOT_ALLOWED", `This path does not take ${method}. Use ${methods.join(" or ")}.`, {
    headers: { Allow: allow },
  });
});

/** CORS is open to every origin, with a key in a header. A browser may cache that for a day. */
function preflight(methods: readonly string[]): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range",
    "Access-Control-Max-Age": "86400",
  };
}
