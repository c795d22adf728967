// The options of a bulk request: shared options, and the options of each capture.
import * as v from "valibot";
import { ApiError } from "../../errors/api-error.ts";
import { type CaptureOptions, parseCaptureOptions } from "../../options/capture-options.ts";
import { coerced, flag } from "../../options/coercion.ts";
import { option } from "../../options/option.ts";
import { parseOptions } from "../../options/parse-options.ts";
import { between } from "../../options/wording.ts";

/** Maximum number of captures in a bulk request. */
export const MAX_BULK_REQUESTS = 20;

/**
 * Timeout of the function in seconds. API Gateway ends a streamed response after five minutes without data.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html
 */
export const BULK_TIMEOUT_S = 240;

type RawOptions = Readonly<Record<string, unknown>>;

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

const schema = v.object(bulkEntries, "must be sent");

/** One capture of a bulk request: its raw options, including the shared ones, and its parsed options. */
export interface BulkRequest {
  readonly rawOptions: RawOptions;
  readonly options: CaptureOptions;
}

/**
 * Parses a bulk request. Every capture is `async`; `check` throws further errors of its options. Throws `VALIDATION_ERROR`,
 * whose details map options such as `requests.3.url` to messages; the first capture is number 0.
 */
export function parseBulk(
  sent: unknown,
  check: (options: CaptureOptions) => void = () => {},
): { readonly requests: readonly BulkRequest[]; readonly execute: boolean } {
  const { options, requests, execute } = parseOptions({ schema }, sent);
  const parsed = requests.map((own, index) => {
    const name = `requests.${index}`;
    return isObject(own)
      ? parseRequest({ async: true, ...options, ...own }, { name, check })
      : { problems: [[name, ["must be an object with options"]] as const] };
  });
  const problems = parsed.flatMap((each) => ("problems" in each ? each.problems : []));
  const [first] = problems;
  if (first) {
    const more = problems.length > 1 ? " `details` lists every problem." : "";
    const message = `Option '${first[0]}' ${first[1][0]}${first[1][0]?.endsWith("?") ? "" : "."}${more}`;
    throw new ApiError("VALIDATION_ERROR", message, { details: Object.fromEntries(problems) });
  }
  return { requests: parsed.flatMap((each) => ("request" in each ? [each.request] : [])), execute };
}

type Problem = readonly [field: string, messages: readonly string[]];

function parseRequest(
  rawOptions: RawOptions,
  { name, check }: { readonly name: string; readonly check: (options: CaptureOptions) => void },
): { readonly request: BulkRequest } | { readonly problems: readonly Problem[] } {
  try {
    const options = parseCaptureOptions(rawOptions);
    if (!options.async) return { problems: [[`${name}.async`, ["must be true: bulk captures are asynchronous"]]] };
    check(options);
    return { request: { rawOptions, options } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { problems: Object.entries(error.details ?? {}).map(([field, messages]) => [`${name}.${field}`, messages]) };
  }
}

function isObject(value: unknown): value is RawOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
