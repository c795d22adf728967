// A paid plan as an option, or none.
import { coerced } from "../../contract/options/coercion.ts";
import { type PlanName, paidPlanNames } from "../../contract/plans.ts";

/** The name of a paid plan, or null. */
export const paidPlanOrNull = () =>
  coerced<PlanName | null>({ type: ["string", "null"], enum: [...paidPlanNames, null] }, (sent) => {
    if (sent === null || sent === "null") return { value: null };
    const value = paidPlanNames.find((name) => name === sent);
    return value === undefined ? { problem: `must be one of ${paidPlanNames.join(", ")}, or null` } : { value };
  });
