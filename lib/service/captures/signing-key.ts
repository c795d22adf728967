// A session has no secret of its own: one of the account's API keys signs its webhooks.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { Caller } from "../account/account.ts";
import { isSessionCaller } from "../sessions/session.ts";

/** Throws `VALIDATION_ERROR` for a signed webhook that a session asks for when the account has no key to sign it. */
export function requireSigningKey(
  caller: Caller,
  { webhook_url, webhook_sign }: Pick<CaptureOptions, "webhook_url" | "webhook_sign">,
): void {
  if (!isSessionCaller(caller) || caller.key.signing_key_id !== undefined) return;
  if (webhook_url === undefined || !webhook_sign) return;
  const message = "needs an API key that signs the webhook, and the account has none that is active; create one first";
  throw new ApiError("VALIDATION_ERROR", `Option 'webhook_url' ${message}.`, { details: { webhook_url: [message] } });
}
