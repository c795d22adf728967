// The options of a sign-in.
import * as v from "valibot";
import { text } from "../../contract/options/coercion.ts";
import { parseOptions } from "../../contract/options/parse-options.ts";

const secret = text(200, { secret: true });

export const signInEntries = { api_key: v.exactOptional(secret), token: v.exactOptional(secret) };

const signInSchema = v.object(signInEntries);

export type SignInOptions = v.InferOutput<typeof signInSchema>;

/** Parses an API key or the token of a link. Throws `VALIDATION_ERROR`. */
export function parseSignIn(rawOptions: unknown): SignInOptions {
  return parseOptions(
    {
      schema: signInSchema,
      *rules(_, { requested }) {
        if (requested.has("api_key") === requested.has("token"))
          yield ["api_key", "or 'token' must be sent, and not both"];
      },
    },
    rawOptions,
  );
}
