// The route by which the operator's payment provider reports plans and payments.
import { defineRoute } from "../http/define-route.ts";
import { BillingEventResponse } from "./responses.ts";

export const billingEventRoute = defineRoute({
  method: "POST",
  path: "/billing/events",
  functionName: "billing",
  access: "handler",
  origins: "own",
  env: ["ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "WEBHOOK_QUEUE_URL"],
  responses: { 200: { description: "What became of the event.", json: [BillingEventResponse] } },
  handler: async () => (await import("./serve-event.ts")).serveBillingEvent,
});
