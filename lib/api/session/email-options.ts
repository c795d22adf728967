// The options of signing in by e-mail.
import * as v from "valibot";
import { text } from "../../options/coercion.ts";
import { inputForm } from "../../options/option.ts";
import { parseOptions } from "../../options/parse-options.ts";
import { tooLong } from "../../options/wording.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { bodyOptions } from "./session-options.ts";

const MAX_ADDRESS_LENGTH = 254; // RFC 5321, section 4.5.3.1.3

const email = inputForm(
  v.pipe(
    v.string("must be text"),
    v.maxLength(MAX_ADDRESS_LENGTH, tooLong(MAX_ADDRESS_LENGTH, "characters")),
    v.email("must be an e-mail address"),
  ),
  { type: "string", format: "email", maxLength: MAX_ADDRESS_LENGTH },
);

const code = inputForm(v.pipe(v.string("must be text"), v.regex(/^\d{6}$/, "must be the six digits of the e-mail")), {
  type: "string",
  pattern: "^[0-9]{6}$",
});

const askSchema = v.object({ email }, "must be sent");
const verifySchema = v.object({ email, code }, "must be sent");
const currentSchema = v.object({ code }, "must be sent");
const undoSchema = v.object({ token: text(200, { secret: true }) }, "must be sent");

/** Parses an address. Throws `VALIDATION_ERROR`. */
export function parseEmail(rawOptions: unknown): string {
  return parseOptions({ schema: askSchema }, rawOptions).email;
}

/** Parses the address to which a code is sent. Throws `VALIDATION_ERROR`. */
export function parseAddress(request: ApiRequest): string {
  return parseEmail(bodyOptions(request));
}

/** Parses an address and its code. Throws `VALIDATION_ERROR`. */
export function parseCode(request: ApiRequest): v.InferOutput<typeof verifySchema> {
  return parseOptions({ schema: verifySchema }, bodyOptions(request));
}

/** Parses the code that was sent to the current address of the account. Throws `VALIDATION_ERROR`. */
export function parseCurrentCode(request: ApiRequest): string {
  return parseOptions({ schema: currentSchema }, bodyOptions(request)).code;
}

/** Parses the secret of a link that undoes a change. Throws `VALIDATION_ERROR`. */
export function parseUndo(request: ApiRequest): string {
  return parseOptions({ schema: undoSchema }, bodyOptions(request)).token;
}
