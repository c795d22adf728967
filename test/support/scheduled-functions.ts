// The scheduled functions of the running service, whose schedules are not played in tests.
import { inject } from "vitest";

/** Has the canary run, by which it publishes the status page. Rejects if it fails. */
export function runLocalCanary(): Promise<void> {
  return runScheduled("Canary");
}

/** Has a scheduled function run, which is named by its construct. Rejects if it fails. */
export async function runScheduled(construct: "Canary" | "BillingRun"): Promise<void> {
  const { lambda, functionNames } = inject("service");
  const response = await fetch(`${lambda}/2015-03-31/functions/${functionNames[construct]}/invocations`, {
    method: "POST",
    body: "{}",
  });
  const text = await response.text();
  if (response.status !== 200 || text !== "null") throw new Error(`${construct} failed: ${response.status} ${text}`);
}
