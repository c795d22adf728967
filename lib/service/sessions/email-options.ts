// The options of signing in by e-mail.
import * as v from "valibot";
import { text } from "../../contract/options/coercion.ts";
import { inputForm } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { tooLong } from "../../contract/options/wording.ts";

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

export const addressEntries = { email };
export const codeEntries = { email, code };
export const currentCodeEntries = { code };
export const linkEntries = { token: text(200, { secret: true }) };

const addressSchema = v.object(addressEntries, "must be sent");
const codeSchema = v.object(codeEntries, "must be sent");
const currentCodeSchema = v.object(currentCodeEntries, "must be sent");
const linkSchema = v.object(linkEntries, "must be sent");

export type AddressOptions = v.InferOutput<typeof addressSchema>;
export type CodeOptions = v.InferOutput<typeof codeSchema>;
export type CurrentCodeOptions = v.InferOutput<typeof currentCodeSchema>;
export type LinkOptions = v.InferOutput<typeof linkSchema>;

/** Parses the address to which a code is sent. Throws `VALIDATION_ERROR`. */
export const parseAddress = optionParser({ schema: addressSchema });

/** Parses an address and its code. Throws `VALIDATION_ERROR`. */
export const parseCode = optionParser({ schema: codeSchema });

/** Parses the code that was sent to the current address of the account. Throws `VALIDATION_ERROR`. */
export const parseCurrentCode = optionParser({ schema: currentCodeSchema });

/** Parses the secret of a link that undoes a change, or reports a sign-in. Throws `VALIDATION_ERROR`. */
export const parseLinkOptions = optionParser({ schema: linkSchema });
