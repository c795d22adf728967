import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

/** EventBridge Scheduler. A call that fails twice has an alternative, which is not to wait for. */
export const scheduler = once(
  () => new SchedulerClient({ requestHandler: requestTimeouts({ requestTimeout: 2_000 }), maxAttempts: 2 }),
);
