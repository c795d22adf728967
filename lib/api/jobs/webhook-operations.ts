// The webhook that tells of a capture's end, and the operation that sends it again, as OpenAPI shows them.
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { headerRefs } from "../openapi/headers.ts";
import { idempotencyKeyParameter, withIdempotencyKey } from "../openapi/idempotency-parameter.ts";
import { object } from "../openapi/object-schema.ts";
import { json } from "../openapi/other-operations.ts";
import { timestamp } from "../openapi/timestamp-schemas.ts";

const tags = ["Captures"];

export const redeliverWebhook = (): JsonSchema => {
  const accepted = object({
    message: { type: "string" },
    request_id: { type: "integer" },
    status_url: { type: "string", format: "uri", description: "Where the capture tells how the delivery goes." },
  });
  const answer = withIdempotencyKey(json("It will be sent.", accepted));
  return {
    operationId: "redeliverWebhook",
    tags,
    summary: "Have the webhook of a capture sent once more",
    description:
      "Whatever became of it before, it is sent at once, with the same `webhook-id`, and tried as often as the first " +
      "time. Needs a key with the scope `capture`.",
    parameters: [idempotencyKeyParameter("The webhook is sent once more, however often that is asked for.")],
    responses: {
      "202": { ...answer, headers: { ...(answer["headers"] as JsonSchema), ...headerRefs("Location") } },
      ...errorResponses(
        "VALIDATION_ERROR",
        "UNAUTHORIZED",
        "FORBIDDEN",
        "NOT_FOUND",
        "CONFLICT",
        "BAD_REQUEST",
        "BODY_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
      ),
    },
  };
};

export const webhookSchemas: Readonly<Record<string, JsonSchema>> = {
  WebhookEvent: {
    description: "What a webhook tells. It has no file; that is where `data.url` leads.",
    ...object({
      type: { type: "string", enum: ["capture.succeeded", "capture.failed"] },
      timestamp: { ...timestamp, description: "When the capture ended." },
      data: {
        $ref: "#/components/schemas/CaptureState",
        description: "The state of the capture at the moment of sending.",
      },
    }),
  },
};

const header = (name: string, required: boolean, description: string): JsonSchema => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
});

/** What is sent to a `webhook_url`, by the name under which the document tells it. */
export const webhooks: Readonly<Record<string, JsonSchema>> = {
  captureEnded: {
    post: {
      operationId: "captureEnded",
      tags,
      summary: "Hear that a capture in the background is over",
      description:
        "Sent to the `webhook_url` of a capture. Whoever receives it answers with 2xx within 10 seconds; redirects are " +
        "not followed. After any other answer but 410 it is sent again, after 5 seconds, 1, 5 and 15 minutes, 1, 4 and " +
        "12 hours, each a fifth more or less. It can arrive more than once: `webhook-id` tells.\n\n" +
        "It is signed with the `signing_secret` of the API key as https://www.standardwebhooks.com says; there are " +
        "libraries that verify it. For 24 hours after a rotation it is signed with the secret before, too.",
      security: [],
      parameters: [
        header("webhook-id", true, "The same each time the same event is sent."),
        header("webhook-timestamp", true, "When it was sent, in seconds since 1970."),
        header(
          "webhook-signature",
          false,
          "`v1,` and HMAC-SHA256 in base64 of `<webhook-id>.<webhook-timestamp>.<body>`, whose key are the bytes that the " +
            "secret has in base64 after `whsec_`. Several of them, with blanks between, after rotations. Absent with " +
            "`webhook_sign=false`.",
        ),
        header(
          "X-Webhook-Signature",
          false,
          "HMAC-SHA256 of the body in hex, whose key is the whole text of the secret. Absent with `webhook_sign=false`.",
        ),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookEvent" } } },
      },
      responses: {
        "2XX": { description: "It has been taken." },
        "410": { description: "It is not wanted, and not sent again." },
        default: { description: "It is sent again, until the last try." },
      },
    },
  },
};
