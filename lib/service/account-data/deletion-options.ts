// The options of deleting an account.
import * as v from "valibot";
import { text } from "../../contract/options/coercion.ts";
import { optionParser } from "../../contract/options/parse-options.ts";

export const deletionEntries = { label: text(200) };

const schema = v.object(deletionEntries, "must be sent");

export type DeletionOptions = v.InferOutput<typeof schema>;

/** Parses the name of the account, which confirms its deletion. Throws `VALIDATION_ERROR`. */
export const parseDeletion = optionParser({ schema });
