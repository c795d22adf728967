// The options of a sign-in.
import * as v from "valibot";
import { text } from "../../options/coercion.ts";
import { parseNothing, parseOptions } from "../../options/parse-options.ts";
import { type ApiRequest, queryOptions, rawOptions } from "../http/api-request.ts";

const secret = text(200, { secret: true });

const signInSchema = v.object({ api_key: v.exactOptional(secret), token: v.exactOptional(secret) });

export type SignInOptions = v.InferOutput<typeof signInSchema>;

/** Parses an API key or the token of a link. Throws `VALIDATION_ERROR`. */
export function parseSignIn(request: ApiRequest): SignInOptions {
  return parseOptions(
    {
      schema: signInSchema,
      *rules(_, asked) {
        if (asked.has("api_key") === asked.has("token")) yield ["api_key", "or 'token' must be sent, and not both"];
      },
    },
    bodyOptions(request),
  );
}

/** The options in the body. Secrets in a query would get into logs, so one that has any is refused. */
export function bodyOptions(request: ApiRequest): Record<string, unknown> {
  parseNothing(queryOptions(request));
  return rawOptions(request);
}
