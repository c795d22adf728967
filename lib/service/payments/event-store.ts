// Which events of the payment provider were applied: each once, also when it is sent again.
import * as v from "valibot";
import { getItem } from "../aws/items.ts";
import { billingEventKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { hashJson } from "../platform/hash-json.ts";
import { DAY_MS } from "../usage/day.ts";
import type { BillingEvent } from "./billing-event.ts";

const StoredSchema = v.object({ body_hash: v.string(), is_applied: v.boolean() });
type StoredEvent = v.InferOutput<typeof StoredSchema>;

/** Longer than a provider repeats an event. In milliseconds. */
const RETENTION_MS = 90 * DAY_MS;

/** Finds what became of an event. `isOther` is true if its id was used for another one. */
export async function findBillingEvent(
  activityTable: string,
  id: string,
  event: BillingEvent,
): Promise<(Pick<StoredEvent, "is_applied"> & { readonly isOther: boolean }) | undefined> {
  const item = await getItem(activityTable, billingEventKey(hashJson(id)));
  if (!item) return undefined;
  const { body_hash, is_applied } = v.parse(StoredSchema, item);
  return { is_applied, isOther: body_hash !== hashJson(event) };
}

/** The write of an event at `now` (milliseconds since 1970), for the transaction of what it changes. It fails if the id is stored. */
export function billingEventWrite(
  activityTable: string,
  { id, event, isApplied, now }: { id: string; event: BillingEvent; isApplied: boolean; now: number },
): Write {
  const Item = {
    ...billingEventKey(hashJson(id)),
    body_hash: hashJson(event),
    is_applied: isApplied,
    ttl: Math.ceil((now + RETENTION_MS) / 1000),
  };
  return { Put: { TableName: activityTable, Item, ConditionExpression: "attribute_not_exists(pk)" } };
}
