// The options of a bulk request: shared options, and the options of each capture.
import * as v from "valibot";
import { coerced, flag } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { between } from "../../contract/options/wording.ts";

/** Maximum number of captures in a bulk request. */
export const MAX_BULK_REQUESTS = 20;

/**
 * Deadline of a bulk request in seconds. API Gateway ends a streamed response after five minutes without data.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html
 */
export const BULK_DEADLINE_S = 240;

export type RawOptions = Readonly<Record<string, unknown>>;

const captureOptions = { $ref: "#/components/schemas/BulkOptions" };

export const bulkEntries = {
  options: v.optional(
    option(
      coerced<RawOptions>(captureOptions, (sent) =>
        isObject(sent) ? { value: sent } : { problem: "must be an object with options" },
      ),
      { description: "Options for all captures. The options of a capture take precedence.", otherwise: "none" },
    ),
    {},
  ),
  requests: option(
    coerced<readonly unknown[]>(
      { type: "array", minItems: 1, maxItems: MAX_BULK_REQUESTS, items: captureOptions },
      (sent) =>
        Array.isArray(sent) && sent.length >= 1 && sent.length <= MAX_BULK_REQUESTS
          ? { value: sent }
          : { problem: `must be a list of ${between(1, MAX_BULK_REQUESTS, "objects")} with options` },
    ),
    { description: `The options of each capture, ${between(1, MAX_BULK_REQUESTS, "captures")}.` },
  ),
  execute: v.optional(
    option(flag(), {
      description:
        "Wait until all captures have ended, at most about three and a half minutes. The response is 200 then. It is 202, " +
        "immediately, with `false` and while too many other bulk requests wait: get the outcome from the status of each " +
        "capture.",
    }),
    true,
  ),
};

/** True for an object of options. */
export function isObject(value: unknown): value is RawOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
