// What a bulk request answers: for each capture its status, or why it was refused.
import * as v from "valibot";
import { ErrorResponse } from "../../contract/errors/error-response.ts";
import { url } from "../http/response-fields.ts";
import { captureStateEntries } from "../jobs/responses.ts";

export const BulkCapture = v.pipe(
  v.object({
    ...captureStateEntries,
    status_url: v.pipe(url, v.description("URL of the capture's status.")),
  }),
  v.description("The status of a capture, and the URL where you can follow it."),
);

export const RefusedCapture = v.pipe(
  v.object({ status: v.literal("refused"), error: ErrorResponse }),
  v.description("A capture that was refused because of the quota or a limit of the account."),
);

export const BulkCaptures = v.object({
  data: v.pipe(
    v.array(v.union([BulkCapture, RefusedCapture])),
    v.description("The captures, in the order of `requests`."),
  ),
});
