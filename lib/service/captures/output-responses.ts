// The JSON of a request with `outputs`, which is also the manifest of its archive.
import * as v from "valibot";
import { ErrorResponse } from "../../contract/errors/error-response.ts";
import { countField, requestId, timestamp } from "../http/response-fields.ts";
import { captureStatuses } from "../usage/capture-log.ts";
import { MAX_CONTENT_BYTES } from "./content-limit.ts";
import { captureResultFields } from "./responses.ts";

const result = captureResultFields.entries;
const pixels = v.pipe(v.number(), v.integer(), v.minValue(1));

export const OutputResult = v.pipe(
  v.object({
    name: v.pipe(v.string(), v.description("The name of the output, as you sent it.")),
    status: v.pipe(
      v.picklist(captureStatuses),
      v.description("`failed` for an output with an `error`, which is free."),
    ),
    request_id: v.pipe(requestId, v.description("The number of this capture in the log.")),
    url: v.exactOptional(result.url),
    mime_type: v.exactOptional(result.mime_type),
    file_size_bytes: v.exactOptional(result.file_size_bytes),
    width: v.exactOptional(v.pipe(pixels, v.description("Width in pixels, for images and videos."))),
    height: v.exactOptional(v.pipe(pixels, v.description("Height in pixels, for images and videos."))),
    pages: v.exactOptional(v.pipe(countField, v.description("Number of pages of a PDF."))),
    quality: result.quality,
    problems: result.problems,
    warnings: result.warnings,
    metadata: result.metadata,
    storage_location: result.storage_location,
    storage_error: result.storage_error,
    content: v.exactOptional(
      v.pipe(
        v.string(),
        v.description(
          `The result itself, for \`html\`, \`markdown\`, \`text\`, and \`json\` up to ${MAX_CONTENT_BYTES / 1000} kB.`,
        ),
      ),
    ),
    file: v.exactOptional(
      v.pipe(
        v.nullable(v.string()),
        v.description(
          "In the manifest of an archive: the name of the file. `null` for a result that was too large for the archive; download it from " +
            "`url`.",
        ),
      ),
    ),
    error: v.exactOptional(ErrorResponse),
  }),
  v.description("One result of a request with `outputs`, or the error with which it failed."),
);

export const OutputsResult = v.pipe(
  v.object({
    request_id: v.pipe(
      requestId,
      v.description("The request number. In the log, it is the `group_id` of all outputs."),
    ),
    expires_at: v.pipe(timestamp, v.description("When the links expire.")),
    response_time_ms: result.response_time_ms,
    from_cache: v.pipe(v.boolean(), v.description("`true` if all results came from the cache.")),
    loads: v.pipe(
      countField,
      v.description(
        "How often the page was loaded: each output is what it would be alone, so those that need another start don't share a load. " +
          "`0` for cached results.",
      ),
    ),
    test: result.test,
    outputs: v.pipe(v.array(OutputResult), v.description("The outputs, in the order of the request.")),
    billed: v.pipe(
      v.object({ screenshots: countField, videos: countField }),
      v.description("What the request counts as: each output that succeeded, unless it came from the cache."),
    ),
  }),
  v.description("Several results of one page. Returned for `outputs`."),
);

export const OutputsValidation = v.pipe(
  v.object({
    valid: v.literal(true),
    billed: v.pipe(
      OutputsResult.entries.billed,
      v.description("What the outputs would count as. Nothing for an API key for tests, whose captures are free."),
    ),
    outputs: v.array(
      v.object({
        name: v.pipe(v.string(), v.description("The name of the output, as you sent it.")),
        options: v.pipe(
          v.record(v.string(), v.unknown()),
          v.description(
            "All options that apply to the output, with their defaults. Secret values are redacted, and long texts shortened.",
          ),
        ),
      }),
    ),
  }),
  v.description("A request with `outputs` that would be captured. Returned with `validate=true`."),
);
