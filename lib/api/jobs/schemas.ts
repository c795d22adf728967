// Captures in the background as OpenAPI shows them: the answer to whoever asks for one, and its state.
import type { JsonSchema } from "../../options/option.ts";
import { unavailableReasons } from "../../results/capture-result.ts";
import { object } from "../openapi/object-schema.ts";
import { timestamp, timestampOrNull } from "../openapi/timestamp-schemas.ts";
import { captureResultProperties } from "../screenshot/schemas.ts";

const schema = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const requestId = { type: "integer", description: "Number of the request that asked for the capture." };
const statusUrl = { type: "string", format: "uri", description: "Where the state of the capture is told." };

const states = ["queued", "processing", "success", "failed"];

const { request_id: _, url, ...resultProperties } = captureResultProperties;

/** What is told of a capture, whatever has become of it. */
const always: Readonly<Record<string, JsonSchema>> = {
  request_id: requestId,
  status: {
    type: "string",
    enum: states,
    description: "`queued` and `processing` change; `success` and `failed` stay.",
  },
  created_at: { ...timestamp, description: "When it was asked for." },
  finished_at: { ...timestampOrNull, description: "When it was over; null until then." },
  external_identifier: { type: ["string", "null"], description: "The name it was given in the request." },
};

/** What is told of it where there is something to tell. */
const sometimes: Readonly<Record<string, JsonSchema>> = {
  ...resultProperties,
  url: {
    ...url,
    type: ["string", "null"],
    description:
      "Of a success: signed link to the stored result; null once it has expired or was deleted, see `unavailable_reason`.",
  },
  unavailable_reason: {
    type: "string",
    enum: [...unavailableReasons],
    description: "Why `url` is null: the result was `deleted` at your request, or its time is over.",
  },
  error: { ...schema("Error"), description: "Of a failure: what a capture that is waited for would have answered." },
  webhook: { ...schema("WebhookState"), description: "Where there is a `webhook_url`." },
};

const stateExample = {
  request_id: 244075802057999,
  status: "success",
  created_at: "2026-11-21T16:26:43.043Z",
  finished_at: "2026-11-21T16:26:43.902Z",
  external_identifier: "order-7",
  url: "https://api.example.com/storage/1-day/RXU47NPP9ZFmKHNIzFNqX38Em-MW6JyN.png?e=1795364803&s=UCvoz1Nd",
  expires_at: "2026-11-22T16:26:44.000Z",
  mime_type: "image/png",
  file_size_bytes: 6707,
  response_time_ms: 153,
  from_cache: false,
  webhook: {
    status: "delivered",
    deliveries: [{ at: "2026-11-21T16:26:44.120Z", http_status_code: 204, error: null, duration_ms: 31 }],
    next_attempt_at: null,
  },
};

export const jobSchemas: Readonly<Record<string, JsonSchema>> = {
  CaptureAccepted: {
    description: "A capture that will be taken in the background; with `async`.",
    ...object({
      message: { type: "string" },
      request_id: requestId,
      status: { type: "string", const: "queued" },
      status_url: statusUrl,
      webhook_url: { type: ["string", "null"], description: "Where its outcome is sent; null where to nobody." },
    }),
  },
  CaptureState: {
    description:
      "A capture in the background. One that succeeded has the fields of a `CaptureResult`, one that failed an `error`.",
    ...object({ ...always, ...sometimes }, Object.keys(sometimes)),
    examples: [stateExample],
  },
  WebhookState: object({
    status: {
      type: "string",
      enum: ["pending", "delivered", "failed", "skipped"],
      description:
        "`pending`: will be sent, or tried again. `failed`: no try is left, or the receiver answered 410. `skipped`: the " +
        "capture failed and `webhook_errors` is false.",
    },
    deliveries: {
      type: "array",
      description: "The last 20 tries, oldest first.",
      items: object({
        at: timestamp,
        http_status_code: { type: ["integer", "null"], description: "What the receiver answered, null for nothing." },
        error: { type: ["string", "null"], description: "Why the try was in vain; null where it was not." },
        duration_ms: { type: "integer", minimum: 0 },
      }),
    },
    next_attempt_at: {
      ...timestampOrNull,
      description:
        "When it is tried again after a try that failed; null while it is being tried or about to be tried, and when no " +
        "other try follows.",
    },
  }),
};
