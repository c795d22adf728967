// The webhook that is sent when an asynchronous capture ends, in the OpenAPI document.
import type { JsonSchema } from "../../contract/options/option.ts";
import { WebhookEvent } from "../jobs/responses.ts";
import { responseRef } from "../openapi/response-schemas.ts";

const header = (name: string, required: boolean, description: string): JsonSchema => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
});

/** The requests to a `webhook_url` or a `webhook_receiver`. */
export const webhooks: Readonly<Record<string, JsonSchema>> = {
  captureEnded: {
    post: {
      operationId: "captureEnded",
      tags: ["Captures"],
      summary: "Receive the outcome of an asynchronous capture",
      description:
        "Sent to the `webhook_url` of a capture, or to its `webhook_receiver`. Respond with a 2xx status within 10 seconds. Redirects aren't followed. " +
        "After any other response, except 410, the webhook is retried after 5 seconds, 1, 5, and 15 minutes, and 1, 4, and " +
        "12 hours, each ±20%. It can arrive more than once: use `webhook-id` to detect duplicates. A receiver that fails for 24 hours is " +
        "paused, and its webhooks are kept; see `GET /api/v1/webhooks/receivers`.\n\n" +
        "The webhook is signed with the `signing_secret` of the API key, or of the receiver, as https://www.standardwebhooks.com " +
        "specifies; use one of its libraries to verify it. For 24 hours after a rotation, or for another `overlap`, it's also signed " +
        "with the previous secret.",
      security: [],
      parameters: [
        header("webhook-id", true, "Id of the event. Stays the same in retries and redeliveries."),
        header("webhook-timestamp", true, "When the webhook was sent, in seconds since 1970."),
        header(
          "webhook-signature",
          false,
          "`v1,` followed by the Base64-encoded HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. The HMAC key is " +
            "the Base64-decoded part of the secret after `whsec_`. After a rotation, several signatures separated by " +
            "spaces. Absent with `webhook_sign=false`.",
        ),
        header(
          "X-Webhook-Signature",
          false,
          "HMAC-SHA256 of the body in hexadecimal. The HMAC key is the whole text of the secret. Absent with " +
            "`webhook_sign=false`.",
        ),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: responseRef(WebhookEvent) } },
      },
      responses: {
        "2XX": { description: "The webhook was received." },
        "410": { description: "The receiver doesn't want the webhook. It isn't retried." },
        default: { description: "The webhook is retried until the last attempt." },
      },
    },
  },
};
