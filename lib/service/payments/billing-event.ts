// What the operator's payment provider reports, through a few lines of the operator: the plan of an account, and payments of its invoices.
import * as v from "valibot";
import { choice, integer, isoTime, text } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { paidPlanOrNull } from "../account/paid-plan-option.ts";

export const billingEventTypes = ["plan.set", "payment.succeeded", "payment.failed", "payment.voided"] as const;
export type BillingEventType = (typeof billingEventTypes)[number];

export const billingEventEntries = {
  type: option(choice(billingEventTypes), { description: "What has happened." }),
  account_id: option(integer(1, Number.MAX_SAFE_INTEGER), { description: "The account." }),
  occurred_at: option(isoTime(), {
    description:
      "When it happened, by the provider's clock. An event from before the last one of its kind is outdated, and changes nothing.",
  }),
  plan: v.exactOptional(
    option(paidPlanOrNull(), {
      description:
        "The plan, for `plan.set`. With `null`, the plan ends with the billing period, as after a cancellation.",
    }),
  ),
  effective: v.exactOptional(
    option(choice(["now", "period_end"] as const), {
      description:
        "When the plan is set. A larger plan is set at once, and a smaller one at the end of the billing period, unless this says otherwise. " +
        "A plan can't end at once.",
    }),
  ),
  period_start: v.exactOptional(
    option(isoTime(), {
      description: "Start of the billing period of the invoice, for payments.",
    }),
  ),
  reference: v.exactOptional(
    option(text(200), { description: "The provider's own name of it, such as the id of an invoice." }),
  ),
};

const schema = v.object(billingEventEntries);
export type BillingEvent = v.InferOutput<typeof schema>;

/** Parses an event. Throws `VALIDATION_ERROR`. */
export const parseBillingEvent = optionParser({
  schema,
  *rules({ type, plan, effective, period_start }): Generator<readonly [string, string]> {
    if (type === "plan.set") {
      if (plan === undefined) yield ["plan", "must be sent with `plan.set`"];
      if (plan === null && effective === "now") yield ["effective", "must be `period_end` where the plan is null"];
    } else if (type !== undefined && period_start === undefined) {
      yield ["period_start", "must be sent with an event of a payment"];
    }
  },
});
