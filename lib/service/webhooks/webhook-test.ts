// Sends a test event to a receiver of webhooks, and answers with its response.
import { type Caller, signingSecrets } from "../account/account.ts";
import { readKeySecrets } from "../account/account-store.ts";
import { requireSigningKey } from "../captures/signing-key.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { WebhookTest } from "../jobs/responses.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { requireWebhookAddress } from "./webhook-address.ts";
import { sendWebhook } from "./webhook-client.ts";
import { testWebhookRequest, type WebhookRequest } from "./webhook-request.ts";
import type { WebhookTestOptions } from "./webhook-test-options.ts";

/** Private origins to which webhooks may be sent. */
const allowed = allowedOrigins();

type WebhookTestCall = RouteCall<"capture", WebhookTestOptions>;

/** Throws `VALIDATION_ERROR` for an address to which webhooks may not be sent. */
export function requireTestable({ caller, options }: Pick<WebhookTestCall, "caller" | "options">): void {
  requireWebhookAddress(options.webhook_url, allowed);
  requireSigningKey(caller, options);
}

/** Sends a test event, once. */
export async function testWebhook({
  caller,
  options,
  env,
}: WebhookTestCall): Promise<ApiResponse<ResponseBody<typeof WebhookTest>>> {
  const now = Date.now();
  const secrets = options.webhook_sign ? await secretsOf(caller, env, now) : [];
  return json(200, (await sendTestEvent(options.webhook_url, secrets, now)).answer);
}

/** Sends a test event at `now` (milliseconds since 1970), signed with `secrets`. Resolves to what was sent, and to what a test answers. */
export async function sendTestEvent(
  url: string,
  secrets: readonly string[],
  now: number,
): Promise<{ readonly message: WebhookRequest; readonly answer: ResponseBody<typeof WebhookTest> }> {
  const message = testWebhookRequest({ secrets, now });
  const delivery = await sendWebhook(url, message, { allowed });
  const { headers, body } = message;
  return { message, answer: { is_delivered: delivery.error === null, delivery, request: { headers, body } } };
}

async function secretsOf(
  { account, key }: Caller,
  { ACCOUNTS_TABLE }: WebhookTestCall["env"],
  now: number,
): Promise<string[]> {
  const signing = await readKeySecrets(ACCOUNTS_TABLE, { account_id: account.id, id: key.signing_key_id ?? key.id });
  return signing ? signingSecrets(signing, now) : [];
}
