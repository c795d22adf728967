// What a call of the operator's payment provider is answered.
import * as v from "valibot";

export const BillingEventResponse = v.object({
  applied: v.pipe(
    v.boolean(),
    v.description("`false` for an event that changes nothing, because a later one of its kind was applied before."),
  ),
});
