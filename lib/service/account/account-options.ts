// What the owner of an account can change.
import * as v from "valibot";
import { flag } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { labelOption } from "../keys/key-options.ts";
import { paidPlanOrNull } from "./paid-plan-option.ts";

const requestedPlan = option(paidPlanOrNull(), {
  description:
    "Ask the operator of the service for this plan, or withdraw the request with `null`. The operator changes the plan, " +
    "which fulfills the request; no payment is taken here.",
});

const quotaAlerts = option(flag(), {
  description:
    "Tell the owner of the account by e-mail when 50, 80, and 100 % of a quota are used, once in each billing period. It needs " +
    "an e-mail address of the account, and a service that sends mail.",
});

const keyAlerts = option(flag(), {
  description:
    "Tell the owner of the account by e-mail when a new API key, or the new text of a rotated one, is used for the first time. It " +
    "needs an e-mail address of the account, and a service that sends mail.",
});

const storeThumbnails = option(flag(), {
  description:
    "Store a small picture of each result for 30 days, with which the dashboard lists the capture. `store_thumbnail` of a capture " +
    "overrides it.",
});

/** Options of a change of the account. */
export const accountChangeEntries = {
  label: v.exactOptional(labelOption("Name of the account, on its invoices")),
  requested_plan: v.exactOptional(requestedPlan),
  quota_alerts: v.exactOptional(quotaAlerts),
  key_alerts: v.exactOptional(keyAlerts),
  store_thumbnails: v.exactOptional(storeThumbnails),
};

const schema = v.object(accountChangeEntries);

export type AccountChanges = v.InferOutput<typeof schema>;

/** Parses the changes of an account. Throws `VALIDATION_ERROR`. */
export const parseAccountChanges = optionParser({ schema });
