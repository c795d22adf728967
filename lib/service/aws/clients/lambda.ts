import { LambdaClient } from "@aws-sdk/client-lambda";
import { once } from "./once.ts";

/** Lambda throttles invocations while an account's concurrency is used up, which can take seconds. */
export const lambda = once(() => new LambdaClient({ maxAttempts: 8 }));
