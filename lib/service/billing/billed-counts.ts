// Billed captures of uncapped plans: attributes of the items that count the captures of a month and API key, one for each
// billing period and kind. An item of their own would be another write of each capture's transaction.

import type { Counts } from "../../contract/plan-cost.ts";
import type { Credit } from "../../contract/plans.ts";
import type { BillingPeriod } from "./billing-period.ts";

const prefixes = { screenshots: "ps_", videos: "pv_" } as const satisfies Record<Credit, string>;

/** Returns the increment of a billed capture: its attribute names the start of the period in milliseconds since 1970, to base 36. */
export function billedIncrement(credit: Credit, { start }: Pick<BillingPeriod, "start">): Record<string, number> {
  return { [attributeName(credit, start)]: 1 };
}

/** Returns the billed captures that the items of an account's months have for a period. */
export function sumBilledCounts(
  items: readonly Readonly<Record<string, unknown>>[],
  { start }: Pick<BillingPeriod, "start">,
): Counts {
  const sum = (credit: Credit) =>
    items.reduce((total, item) => total + Number(item[attributeName(credit, start)] ?? 0), 0);
  return { screenshots: sum("screenshots"), videos: sum("videos") };
}

function attributeName(credit: Credit, start: string): string {
  return `${prefixes[credit]}${Date.parse(start).toString(36)}`;
}
