import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

/** CloudWatch Logs. A page of a query's result has up to 10,000 lines. */
export const cloudWatchLogs = once(
  () => new CloudWatchLogsClient({ requestHandler: requestTimeouts({ requestTimeout: 10_000 }) }),
);
