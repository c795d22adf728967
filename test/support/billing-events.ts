// `POST /billing/events` as Lambda's function of it answers, and calls that are signed as the operator's program signs them.
import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import { billingEventRoute } from "../../lib/service/payments/routes.ts";
import { aContext, anEvent, JSON_TYPE } from "./builders.ts";
import { provideStreams, type ReceivedResponse, receiving } from "./lambda-streams.ts";
import type { TestResources } from "./test-resources.ts";

export interface BillingEventCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs an event with the operator's secret, as if it was sent `ageS` seconds ago. */
export function signedBillingEvent(
  secret: string,
  { id, event, ageS = 0 }: { readonly id: string; readonly event: object; readonly ageS?: number },
): BillingEventCall {
  const body = JSON.stringify(event);
  const at = new Date(Date.now() - ageS * 1000);
  const headers = {
    ...JSON_TYPE,
    "idempotency-key": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  return { headers, body };
}

/** The handler of the function, with payments that are due after 14 days. Its variables end with the test file. */
export async function billingEvents(
  env: TestResources["env"],
): Promise<(call: BillingEventCall) => Promise<ReceivedResponse>> {
  const { ACCOUNTS_TABLE, USAGE_TABLE, ACTIVITY_TABLE, WEBHOOK_QUEUE_URL } = env;
  const variables = { ACCOUNTS_TABLE, USAGE_TABLE, ACTIVITY_TABLE, WEBHOOK_QUEUE_URL, OVERDUE_AFTER_DAYS: "14" };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  provideStreams();
  vi.stubGlobal("KNOWN_PATHS", JSON.stringify([["/billing/events", ["POST"], []]]));
  const { serveRoutes } = await import("../../lib/service/http/serve-routes.ts");
  const answer = receiving(serveRoutes([billingEventRoute]));
  const place = { httpMethod: "POST", path: "/billing/events", resource: "/billing/events" };
  return ({ headers, body }) => answer(anEvent({ ...place, headers: { ...headers }, body }), aContext());
}
