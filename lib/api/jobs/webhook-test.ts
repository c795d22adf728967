// POST /api/v1/webhooks/test: sends a test event to a receiver of webhooks, and answers with its response.
import { randomBytes } from "node:crypto";
import { type Caller, signingSecrets } from "../../accounts/account.ts";
import { readKey } from "../../accounts/account-store.ts";
import { requireSigningKey } from "../../captures/signing-key.ts";
import type { AllowedOrigins } from "../../egress/egress-policy.ts";
import type { Environment } from "../../platform/environment.ts";
import { requireWebhookAddress } from "../../webhooks/webhook-address.ts";
import { sendWebhook } from "../../webhooks/webhook-client.ts";
import { testWebhookRequest } from "../../webhooks/webhook-request.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import { runIdempotent } from "../http/idempotency.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../response-fields.ts";
import type { WebhookTest } from "./responses.ts";
import { parseWebhookTest } from "./webhook-test-options.ts";

export interface WebhookTestParts {
  readonly env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE">;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
}

type Response = ApiResponse<ResponseBody<typeof WebhookTest>>;

/** Sends a test event, once. Throws `VALIDATION_ERROR` for an address to which webhooks may not be sent. */
export async function testWebhook(request: ApiRequest, { env, allowed }: WebhookTestParts): Promise<Response> {
  const caller = await authorize(request, "capture", env);
  const sent = rawOptions(request);
  const options = parseWebhookTest(sent);
  requireWebhookAddress(options.webhook_url, allowed);
  requireSigningKey(caller, options);
  const run = async (): Promise<Response> => {
    const now = Date.now();
    const secrets = options.webhook_sign ? await secretsOf(caller, env, now) : [];
    const message = testWebhookRequest(`test_${randomBytes(12).toString("hex")}`, { secrets, now });
    const delivery = await sendWebhook(options.webhook_url, message, { allowed });
    return json(200, { is_delivered: delivery.error === null, delivery, request: message });
  };
  return runIdempotent({ request, accountId: caller.account.id, rawOptions: sent, run }, env);
}

async function secretsOf(
  { account, key }: Caller,
  { ACCOUNTS_TABLE }: WebhookTestParts["env"],
  now: number,
): Promise<string[]> {
  const signing = await readKey(ACCOUNTS_TABLE, { account_id: account.id, id: key.signing_key_id ?? key.id });
  return signing ? signingSecrets(signing, now) : [];
}
