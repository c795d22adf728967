import { LambdaClient } from "@aws-sdk/client-lambda";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

/** Longer than any new version takes that a deployment checks, which is the canary with 60 seconds after a cold start. */
const REQUEST_TIMEOUT_MS = 90_000;

/** Lambda throttles invocations while an account's concurrency is used up, which can take seconds. */
export const lambda = once(
  () => new LambdaClient({ maxAttempts: 8, requestHandler: requestTimeouts({ requestTimeout: REQUEST_TIMEOUT_MS }) }),
);
