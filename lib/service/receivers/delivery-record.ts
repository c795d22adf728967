// Records a delivery to a receiver: in the log of a saved one, and in its health where the outcome changes it.
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { type LoggedDelivery, logDelivery } from "./delivery-log.ts";
import { isAutomaticId, type Receiver } from "./receiver.ts";
import { storeAutomaticFailure, storeOutcome } from "./receiver-store.ts";

type RecordResources = Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE">;

/** Where a delivery went: to a saved receiver, or to an address, whose automatic receiver may not exist. */
export interface DeliveredTo {
  readonly account_id: number;
  readonly url: string;
  readonly receiver: Receiver | undefined;
}

/**
 * Records a delivery. Resolves to the receiver as it is then; undefined when there is none. Never rejects: what was delivered is not sent
 * again because its record is missing.
 */
export async function recordDelivery(
  to: DeliveredTo,
  delivery: Omit<LoggedDelivery, "id" | "receiver_id">,
  env: RecordResources,
): Promise<Receiver | undefined> {
  const { receiver } = to;
  const [logged, health] = await Promise.allSettled([
    receiver && !isAutomaticId(receiver.id) ? logDelivery(env.ACTIVITY_TABLE, receiver, delivery) : undefined,
    storeHealth(to, delivery.error === null ? "success" : "failure", env),
  ]);
  for (const record of [logged, health]) {
    if (record.status === "rejected") logError("delivery not recorded", record.reason, { account_id: to.account_id });
  }
  return health.status === "fulfilled" ? health.value : receiver;
}

function storeHealth(
  { receiver, ...address }: DeliveredTo,
  outcome: "success" | "failure",
  { ACCOUNTS_TABLE }: RecordResources,
): Promise<Receiver | undefined> | undefined {
  const isAutomatic = receiver === undefined || isAutomaticId(receiver.id);
  if (isAutomatic && outcome === "failure") {
    return storeAutomaticFailure(ACCOUNTS_TABLE, { ...address, receiver }, Date.now());
  }
  return receiver && storeOutcome(ACCOUNTS_TABLE, receiver, outcome, Date.now());
}
