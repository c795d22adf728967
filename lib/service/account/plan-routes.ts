// The routes by which the owner of an account changes its plan, and gets to the operator's page for payments.
import { defineRoute } from "../http/define-route.ts";
import { parsePaymentRequest, parsePlanChange, paymentEntries, planChangeEntries } from "./plan-options.ts";
import { AccountSettings, PaymentAddress } from "./responses.ts";

const handlers = () => import("./serve-plan.ts");

const planChange = {
  path: "/api/v1/account/plan-change",
  functionName: "identity",
  access: "owner",
  whileSuspended: true,
} as const;
const settings = { 200: { description: "The settings, with the scheduled plan.", json: [AccountSettings] } };

/** Schedules a smaller plan, or the end of the plan. */
export const schedulePlanRoute = defineRoute({
  ...planChange,
  method: "POST",
  env: ["ACTIVITY_TABLE"],
  options: { entries: planChangeEntries, parse: parsePlanChange },
  responses: settings,
  handler: async () => (await handlers()).scheduleOwnPlan,
});

/** Withdraws what is scheduled. */
export const keepPlanRoute = defineRoute({
  ...planChange,
  method: "DELETE",
  env: ["ACTIVITY_TABLE"],
  responses: settings,
  handler: async () => (await handlers()).keepPlan,
});

/** Signs the address of the operator's page for payments. */
export const paymentAddressRoute = defineRoute({
  method: "POST",
  path: "/api/v1/account/payment-address",
  functionName: "identity",
  access: "owner",
  whileSuspended: true,
  hasSecrets: true,
  env: ["BASE_URL"],
  options: { entries: paymentEntries, parse: parsePaymentRequest },
  responses: { 201: { description: "The address, which is valid for 30 minutes.", json: [PaymentAddress] } },
  handler: async () => (await handlers()).createPaymentAddress,
});
