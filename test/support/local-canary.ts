// The canary of the running service, whose schedule is not played in tests.
import { inject } from "vitest";

/** Has the canary run, by which it publishes the status page. Rejects if it fails. */
export async function runLocalCanary(): Promise<void> {
  const { lambda, functionNames } = inject("service");
  const response = await fetch(`${lambda}/2015-03-31/functions/${functionNames["Canary"]}/invocations`, {
    method: "POST",
    body: "{}",
  });
  const text = await response.text();
  if (response.status !== 200 || text !== "null") throw new Error(`The canary failed: ${response.status} ${text}`);
}
