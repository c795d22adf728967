// What the owner of an account can send to change its plan.
import * as v from "valibot";
import { option } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { paidPlanOrNull } from "./paid-plan-option.ts";

/** Options of a scheduled plan. */
export const planChangeEntries = {
  plan: option(paidPlanOrNull(), {
    description: "The smaller plan that the account gets at the end of its billing period; `null` to cancel the plan.",
  }),
};
const planChangeSchema = v.object(planChangeEntries);
export type PlanChange = v.InferOutput<typeof planChangeSchema>;

/** Parses the scheduled plan. Throws `VALIDATION_ERROR`. */
export const parsePlanChange = optionParser({ schema: planChangeSchema });

/** Options of the address of the operator's page for payments. */
export const paymentEntries = {
  plan: v.exactOptional(
    option(paidPlanOrNull(), { description: "The plan to take; without it, the page shows how the account pays." }),
  ),
};
const paymentSchema = v.object(paymentEntries);
export type PaymentRequest = v.InferOutput<typeof paymentSchema>;

/** Parses what is to be paid. Throws `VALIDATION_ERROR`. */
export const parsePaymentRequest = optionParser({ schema: paymentSchema });
