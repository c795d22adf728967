// Parses a bulk request, with the options of each capture.
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { parseOptions, validationError } from "../../contract/options/parse-options.ts";
import { parseRawOptions, type RequestedOutputs } from "../captures/parse.ts";
import { bulkEntries, isObject, type RawOptions } from "./bulk-options.ts";

const schema = v.object(bulkEntries, "must be sent");

export interface BulkOptions {
  /** Each with its raw options, including the shared ones. */
  readonly requests: readonly RequestedOutputs[];
  /** True to wait for the captures. */
  readonly execute: boolean;
}

/**
 * Parses a bulk request. Every capture is `async`; `check` throws further errors of its options. Throws `VALIDATION_ERROR`,
 * whose details map options such as `requests.3.url` to messages; the first capture is number 0.
 */
export function parseBulk(sent: unknown, check: (options: CaptureOptions) => void = () => {}): BulkOptions {
  const { options, requests, execute } = parseOptions({ schema }, sent);
  const parsed = requests.map((own, index) => {
    const name = `requests.${index}`;
    return isObject(own)
      ? parseRequest({ async: true, ...options, ...own }, { name, check })
      : { problems: [[name, "must be an object with options"]] as const };
  });
  const problems = parsed.flatMap((each) => ("problems" in each ? each.problems : []));
  if (problems.length > 0) throw validationError(problems);
  return { requests: parsed.flatMap((each) => ("request" in each ? [each.request] : [])), execute };
}

type Problem = readonly [field: string, message: string];

function parseRequest(
  rawOptions: RawOptions,
  { name, check }: { readonly name: string; readonly check: (options: CaptureOptions) => void },
): { readonly request: RequestedOutputs } | { readonly problems: readonly Problem[] } {
  try {
    const request = parseRawOptions(rawOptions);
    const { options } = request.outputs[0];
    if (!options.async) return { problems: [[`${name}.async`, "must be true: bulk captures are asynchronous"]] };
    check(options);
    return { request };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = Object.entries(error.details ?? {});
    return {
      problems: details.flatMap(([field, messages]) =>
        messages.map((message) => [`${name}.${field}`, message] as const),
      ),
    };
  }
}
