// Billed captures of uncapped plans: attributes of the items that count the captures of a month and API key, one for each
// billing period and kind. An item of their own would be another write of each capture's transaction.

import type { Counts } from "../../contract/plan-cost.ts";
import type { Credit } from "../../contract/plans.ts";
import type { BillingPeriod } from "./billing-period.ts";

const prefixes = { screenshots: "ps_", videos: "pv_" } as const satisfies Record<Credit, string>;
/** Of captures that the item of a billing period bills. They are counted by API key here. */
const unbilledPrefixes = { screenshots: "us_", videos: "uv_" } as const satisfies Record<Credit, string>;

/** Returns the increment of a billed capture: its attribute names the start of the period in milliseconds since 1970, to base 36. */
export function billedIncrement(credit: Credit, { start }: Pick<BillingPeriod, "start">): Record<string, number> {
  return { [attributeName(credit, start)]: 1 };
}

/** Returns the increment of a capture under a hard cap, which invoices count elsewhere. */
export function unbilledIncrement(credit: Credit, { start }: Pick<BillingPeriod, "start">): Record<string, number> {
  return { [attributeName(credit, start, unbilledPrefixes)]: 1 };
}

/** Returns the successful captures of each API key in a period, billed or not, from the items of an account's months. */
export function sumByKey(
  items: readonly Readonly<Record<string, unknown>>[],
  { start }: Pick<BillingPeriod, "start">,
): Map<number, number> {
  const names = [prefixes, unbilledPrefixes].flatMap((each) =>
    (["screenshots", "videos"] as const).map((credit) => attributeName(credit, start, each)),
  );
  const counts = new Map<number, number>();
  for (const item of items) {
    const keyId = Number(item["api_key_id"]);
    const count = names.reduce((total, name) => total + Number(item[name] ?? 0), 0);
    counts.set(keyId, (counts.get(keyId) ?? 0) + count);
  }
  return counts;
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

function attributeName(credit: Credit, start: string, each: Readonly<Record<Credit, string>> = prefixes): string {
  return `${each[credit]}${Date.parse(start).toString(36)}`;
}
