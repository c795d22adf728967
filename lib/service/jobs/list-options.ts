// Options of the list of asynchronous captures.
import * as v from "valibot";
import { choice, integer, text } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { jobStatuses } from "./job-schema.ts";

export const jobListEntries = {
  status: v.optional(option(choice(jobStatuses), { description: "Return only captures with this status." })),
  external_identifier: v.optional(
    option(text(64), { description: "Return only captures that were sent with this `external_identifier`, exactly." }),
  ),
  before: v.optional(
    option(integer(1, Number.MAX_SAFE_INTEGER), {
      description:
        "Return only captures that are older than the one with this `request_id`: the `next_before` of a list.",
    }),
  ),
  limit: v.optional(option(integer(1, 100), { description: "Maximum number of captures." }), 25),
};

const schema = v.object(jobListEntries);

export type JobListOptions = v.InferOutput<typeof schema>;

/** Parses the query of the list. Throws `VALIDATION_ERROR`. */
export const parseJobListOptions = optionParser({ schema });
