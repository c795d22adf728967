// What the resource of an asynchronous capture answers: its status, and that its webhook is redelivered.
import * as v from "valibot";
import { ErrorResponse } from "../../contract/errors/error-response.ts";
import { OutputResult, OutputsResult } from "../captures/output-responses.ts";
import { captureResultFields } from "../captures/responses.ts";
import {
  countField,
  described,
  formatField,
  integerField,
  requestId,
  timestamp,
  url,
  webhookTargetField,
} from "../http/response-fields.ts";
import { DeliverySchema, MAX_DELIVERIES, MAX_EXCERPT_CHARACTERS, WebhookSchema } from "../webhooks/webhook.ts";
import { HEARTBEAT_S } from "./job-lease.ts";
import { JobItemSchema, jobPhases } from "./job-schema.ts";

/** The entries of an attempt to deliver a webhook. */
export const webhookDeliveryEntries = {
  at: timestamp,
  http_status_code: v.pipe(
    v.nullable(integerField),
    v.description("HTTP status code of the receiver. `null` if there was no response."),
  ),
  error: v.pipe(DeliverySchema.entries.error, v.description("Why the delivery failed. `null` if it succeeded.")),
  duration_ms: countField,
  response_excerpt: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        `The first ${MAX_EXCERPT_CHARACTERS} characters of a response whose status isn't 2xx, as one line.`,
      ),
    ),
  ),
};

const WebhookDelivery = v.object(webhookDeliveryEntries);

export const WebhookState = v.object({
  status: v.pipe(
    WebhookSchema.entries.status,
    v.description(
      "- `pending`: the webhook is due, or a retry is scheduled.\n- `delivered`: the receiver accepted the webhook.\n" +
        "- `failed`: all retries failed, or the receiver answered with 410.\n- `skipped`: the capture failed and " +
        "`webhook_errors` is `false`.\n- `paused`: the webhook is kept while its receiver is paused, for 7 days.",
    ),
  ),
  receiver_id: v.pipe(
    v.nullable(v.string()),
    v.description("The `webhook_receiver` of the request. `null` if you sent `webhook_url`."),
  ),
  deliveries: v.pipe(
    v.array(WebhookDelivery),
    v.description(`The last ${MAX_DELIVERIES} delivery attempts, oldest first.`),
  ),
  next_attempt_at: v.pipe(
    v.nullable(timestamp),
    v.description(
      "When the webhook is retried after a failed attempt. `null` during an attempt, before the first attempt, and when " +
        "no attempt is left.",
    ),
  ),
});

const nullableLink = v.pipe(
  v.nullable(url),
  v.description(
    "For `success`: signed link to the stored result. `null` once the result has expired or was deleted; see " +
      "`unavailable_reason`.",
  ),
);

const unavailableReason = v.pipe(
  v.picklist(["deleted", "expired"]),
  v.description("Why `url` is `null`: you `deleted` the result, or it has `expired`."),
);

/** Only a capture that succeeded has a result, so that each of its fields is optional. */
const { request_id: _, url: __, ...resultEntries } = v.partial(captureResultFields).entries;

const { file: ___, ...outputEntries } = OutputResult.entries;

/** An output in the status of an asynchronous capture, where its result can have been deleted. */
export const CaptureStateOutput = v.pipe(
  v.object({
    ...outputEntries,
    url: v.exactOptional(nullableLink),
    unavailable_reason: v.exactOptional(unavailableReason),
  }),
  v.description(
    "One result of an asynchronous request with `outputs`, or the error with which it failed. Webhooks, lists, and bulk responses have no " +
      "`content`.",
  ),
);

/** The entries without a description, for objects that extend them. */
export const captureStateEntries = {
  request_id: v.pipe(requestId, v.description("The id of the capture, which is the number of the request for it.")),
  status: v.pipe(
    JobItemSchema.entries.status,
    v.description("`queued` and `processing` are temporary. `success` and `failed` are final."),
  ),
  phase: v.exactOptional(
    v.pipe(
      v.picklist(jobPhases),
      v.description(
        `While the capture is \`processing\`: what it was doing at most ${HEARTBEAT_S} seconds ago. Absent in its first ${HEARTBEAT_S} seconds, in ` +
          "which most captures end.\n- `browser`: the browser is started.\n- `navigate`: the page is loaded.\n- `settle`: the capture " +
          "waits for the page, and interacts with it.\n- `capture`: the result is made, or that of an equal request is awaited.\n" +
          "- `encode`: the result is encoded.\n- `store`: the result is stored.",
      ),
    ),
  ),
  created_at: v.pipe(timestamp, v.description("When the capture was requested.")),
  finished_at: v.pipe(v.nullable(timestamp), v.description("When the capture ended. `null` until then.")),
  cancel_requested_at: v.exactOptional(
    v.pipe(
      timestamp,
      v.description(
        "When you cancelled the capture while it was `processing`. It ends as `failed` within two seconds.",
      ),
    ),
  ),
  external_identifier: v.pipe(
    JobItemSchema.entries.external_identifier,
    v.description("The `external_identifier` of the request. `null` if you sent none."),
  ),
  page_url: v.pipe(
    v.nullable(v.string()),
    v.description("The URL of the captured page, without a password. `null` for HTML and Markdown."),
  ),
  format: v.pipe(formatField, v.description("The format of the result. With `outputs`, that of the first one.")),
  webhook_target: webhookTargetField,
  ...resultEntries,
  url: v.exactOptional(nullableLink),
  unavailable_reason: v.exactOptional(unavailableReason),
  loads: v.exactOptional(
    v.pipe(countField, v.description("With `outputs`, once the capture has ended: how often the page was loaded.")),
  ),
  outputs: v.exactOptional(
    v.pipe(
      v.array(CaptureStateOutput),
      v.description("With `outputs`, once the capture has ended: the outputs, in the order of the request."),
    ),
  ),
  billed: v.exactOptional(OutputsResult.entries.billed),
  error: v.exactOptional(described(ErrorResponse, "For `failed`: the error that a synchronous capture would return.")),
  webhook: v.exactOptional(
    described(WebhookState, "The webhook. Present if you set `webhook_url` or `webhook_receiver`."),
  ),
};

export const CaptureState = v.pipe(
  v.object(captureStateEntries),
  v.description(
    "An asynchronous capture. After `success` it has the fields of a `CaptureResult`, or those of an `OutputsResult` if the request had " +
      "`outputs`; after `failed` it has an `error`.",
  ),
  v.examples([
    {
      request_id: 244075802057999,
      status: "success" as const,
      created_at: "2026-11-21T16:26:43.043Z",
      finished_at: "2026-11-21T16:26:43.902Z",
      external_identifier: "order-7",
      page_url: "https://example.com/",
      format: "png",
      webhook_target: "https://you.example",
      url: "https://api.example.com/storage/1-day/RXU47NPP9ZFmKHNIzFNqX38Em-MW6JyN.png?e=1795364803&s=UCvoz1Nd",
      expires_at: "2026-11-22T16:26:44.000Z",
      mime_type: "image/png",
      file_size_bytes: 6707,
      response_time_ms: 153,
      from_cache: false,
      webhook: {
        status: "delivered" as const,
        receiver_id: null,
        deliveries: [{ at: "2026-11-21T16:26:44.120Z", http_status_code: 204, error: null, duration_ms: 31 }],
        next_attempt_at: null,
      },
    },
  ]),
);

export const CaptureStates = v.object({
  data: v.pipe(v.array(CaptureState), v.description("The captures, newest first.")),
  next_before: v.pipe(
    v.nullable(requestId),
    v.description("Send it as `before` for the next, older captures. `null` at the end of the list."),
  ),
});

export const WebhookRedelivery = v.object({
  message: v.string(),
  request_id: v.pipe(requestId, v.description("The id of the capture.")),
  status_url: v.pipe(url, v.description("URL of the capture's status, which lists the delivery attempts.")),
});

export const WebhookTest = v.object({
  is_delivered: v.pipe(v.boolean(), v.description("`true` if the receiver answered with 2xx.")),
  delivery: v.pipe(WebhookDelivery, v.description("What the receiver answered.")),
  request: v.pipe(
    v.object({ headers: v.record(v.string(), v.string()), body: v.string() }),
    v.description("What was sent: compute the signature of `body` yourself, and compare it with the headers."),
  ),
});

export const WebhookEvent = v.pipe(
  v.object({
    type: v.picklist(["capture.succeeded", "capture.failed"]),
    timestamp: v.pipe(timestamp, v.description("When the capture ended.")),
    data: described(CaptureState, "The status of the capture when the webhook is sent."),
  }),
  v.description("The body of a webhook. It doesn't contain the file: download it from `data.url`."),
);
