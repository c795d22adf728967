// Answers a call of the operator's payment provider: verifies that it is the operator's, and applies its event once.
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { RouteCall } from "../http/define-route.ts";
import { REPLAYED } from "../http/idempotency.ts";
import { idempotencyKey } from "../http/idempotency-key.ts";
import { isJsonType } from "../http/request-body.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { operatorSecrets } from "../operator-events/operator-secret.ts";
import { applyBillingEvent, type BillingEnvironment } from "./apply-event.ts";
import { parseBillingEvent } from "./billing-event.ts";
import type { BillingEventResponse } from "./responses.ts";

/**
 * Applies an event that is signed with the operator's secret, as Standard Webhooks describe it; the id that is signed is the `Idempotency-Key`.
 * So a recorded call can be repeated within five minutes only, and has no effect then. Throws `UNAUTHORIZED` before it reads the event.
 */
export async function serveBillingEvent({
  request,
  env,
}: RouteCall<"handler", unknown, keyof BillingEnvironment>): Promise<
  ApiResponse<ResponseBody<typeof BillingEventResponse>>
> {
  const id = idempotencyKey(request);
  const secrets = await operatorSecrets(env.ACCOUNTS_TABLE, request.receivedAt);
  if (id === undefined || !secrets.some((secret) => isSigned(request, id, secret))) throw unauthorized();
  if (!isJsonType(request.headers["content-type"]))
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the event as JSON, with Content-Type: application/json.");
  const event = parseBillingEvent(request.body);
  const call = { id, event, from: request.sourceIp, now: request.receivedAt };
  const { applied, isReplay } = await applyBillingEvent(call, env);
  if (isReplay) request.responseHeaders.set(REPLAYED, "true");
  return json(200, { applied });
}

/** Verifies the signature, and that it was made at most five minutes ago. */
function isSigned({ headers, bodyText }: ApiRequest, id: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(bodyText, {
      "webhook-id": id,
      "webhook-timestamp": headers["webhook-timestamp"] ?? "",
      "webhook-signature": headers["webhook-signature"] ?? "",
    });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

function unauthorized(): ApiError {
  const message =
    "The call has no valid signature, or one that is older than five minutes. Sign the Idempotency-Key, the time, and the body with the " +
    "operator's secret, and send webhook-timestamp and webhook-signature.";
  return new ApiError("UNAUTHORIZED", message);
}
