// Records a delivery to a saved receiver: in its log, and in its health where the outcome changes it.
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { type LoggedDelivery, logDelivery } from "./delivery-log.ts";
import type { Receiver } from "./receiver.ts";
import { storeOutcome } from "./receiver-store.ts";

/** Records a delivery. Never rejects: what was delivered is not sent again because its record is missing. */
export async function recordDelivery(
  receiver: Receiver,
  delivery: Omit<LoggedDelivery, "id" | "receiver_id">,
  { ACCOUNTS_TABLE, ACTIVITY_TABLE }: Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE">,
): Promise<void> {
  const outcome = delivery.error === null ? "success" : "failure";
  const records = [
    logDelivery(ACTIVITY_TABLE, receiver, delivery),
    storeOutcome(ACCOUNTS_TABLE, receiver, outcome, Date.now()),
  ];
  for (const record of await Promise.allSettled(records)) {
    if (record.status === "rejected")
      logError("delivery not recorded", record.reason, { account_id: receiver.account_id });
  }
}
