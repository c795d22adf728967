// What a capture answers in JSON: where its result is stored, or that it was accepted as an asynchronous capture.
import * as v from "valibot";
import { ProblemsSchema, QualitySchema } from "../../contract/problems/problem.ts";
import { countField, requestId, timestamp, url } from "../http/response-fields.ts";
import { CaptureMetadataResponse } from "./metadata-responses.ts";

const signedLink = v.pipe(
  url,
  v.description("Signed link to the stored result. It needs no API key and works until it expires."),
);

export const SliceResponse = v.object({
  url: signedLink,
  top: v.pipe(countField, v.description("Distance in pixels from the top of the image to the top of the slice.")),
  height: v.pipe(v.number(), v.integer(), v.minValue(1), v.description("Height of the slice in pixels.")),
  file_size_bytes: countField,
});

/** Fields of a stored capture, which the status of an asynchronous capture has, too. */
export const captureResultFields = v.object({
  url: signedLink,
  expires_at: v.pipe(timestamp, v.description("When the link expires.")),
  mime_type: v.pipe(v.string(), v.examples(["image/png"])),
  file_size_bytes: countField,
  response_time_ms: v.pipe(countField, v.description("Duration of the capture in milliseconds.")),
  from_cache: v.pipe(v.boolean(), v.description("`true` if the result came from the cache.")),
  request_id: v.pipe(requestId, v.description("The request number. It increases over time.")),
  test: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description(
        "`true` for a capture with an API key for tests: it's free, and its result carries a mark. Absent otherwise.",
      ),
    ),
  ),
  metadata: v.exactOptional(CaptureMetadataResponse),
  storage_location: v.exactOptional(
    v.pipe(v.string(), v.description("URL of the object in your bucket. Set with `storage_return_location`.")),
  ),
  storage_error: v.exactOptional(
    v.pipe(
      v.object({
        code: v.pipe(v.string(), v.examples(["STORAGE_FAILED"])),
        message: v.pipe(v.string(), v.description("What your storage answered, or how the connection ended.")),
      }),
      v.description(
        "The upload to your bucket failed after bytes of the result were sent. The capture counts, and its result is available here. " +
          "Absent otherwise.",
      ),
    ),
  ),
  slices: v.exactOptional(
    v.pipe(
      v.array(SliceResponse),
      v.description("The image in slices, from top to bottom. Set with `full_page_slices`."),
    ),
  ),
  warnings: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.description("How the result differs from what you requested, one sentence each. Absent if it doesn't."),
    ),
  ),
  problems: v.exactOptional(ProblemsSchema),
  quality: v.exactOptional(QualitySchema),
});

export const CaptureResult = v.pipe(
  captureResultFields,
  v.description("A stored capture. Returned with `response_type=json`."),
);

export const CaptureValidation = v.pipe(
  v.object({
    valid: v.literal(true),
    billed_as: v.pipe(
      v.nullable(v.picklist(["screenshot", "video"])),
      v.description("What the capture would count as. `null` for an API key for tests, whose captures are free."),
    ),
    options: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description(
        "All options that apply, with their defaults. Secret values are redacted, and long texts shortened.",
      ),
    ),
  }),
  v.description("A request that would be captured. Returned with `validate=true`."),
);

export const CaptureAccepted = v.pipe(
  v.object({
    message: v.string(),
    request_id: v.pipe(requestId, v.description("The id of the capture, which is the number of this request.")),
    status: v.literal("queued"),
    status_url: v.pipe(url, v.description("URL of the capture's status.")),
    webhook_url: v.pipe(
      v.nullable(v.string()),
      v.description("URL that receives the webhook when the capture ends. `null` if you set none."),
    ),
    webhook_receiver: v.pipe(
      v.nullable(v.string()),
      v.description(
        "Id of the saved receiver that receives the webhook when the capture ends. `null` if you set none.",
      ),
    ),
  }),
  v.description("An asynchronous capture that was accepted. Returned with `async=true`."),
);
