// The options of the routes by which the operator acts on the running service.
import * as v from "valibot";
import { inputForm } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { queueNames } from "./dead-letter-requests.ts";

const queue = inputForm(v.picklist(queueNames, `must be ${queueNames.map((name) => `'${name}'`).join(" or ")}`), {
  type: "string",
  enum: [...queueNames],
});

export const retryEntries = { queue };
const retrySchema = v.object(retryEntries);
export type RetryOptions = v.InferOutput<typeof retrySchema>;

/** Parses which messages are retried. Throws `VALIDATION_ERROR`. */
export const parseRetry = optionParser({ schema: retrySchema });
