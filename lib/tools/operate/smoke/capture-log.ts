// What the functions have logged of a capture: in the log files of the local service, or in CloudWatch.
import { setTimeout as sleep } from "node:timers/promises";
import { CloudWatchClient, GetMetricStatisticsCommand } from "@aws-sdk/client-cloudwatch";
import { INDEXING_MS, openInsightsLog } from "../../../service/logs/insights-log.ts";
import type { LogFields, LogReader } from "../../../service/logs/log-line.ts";
import { METRIC_NAMESPACE, type MetricName, STAGE_DIMENSION } from "../../../service/platform/metrics.ts";
import { openLocalLog } from "../logs/local-log.ts";
import { findLogGroups } from "../logs/log-groups.ts";

/** A line of a log, parsed. */
export type LogEntry = LogFields;

export interface LoggedCapture {
  /** The entries about a request so far. */
  entries(requestId: string): Promise<readonly LogEntry[]>;
  /** How long an entry may take to be found, in milliseconds. */
  readonly waitMs: number;
  /** Sum of a metric over the last minutes, as alarms see it; undefined where there is no CloudWatch. */
  readonly metricSum?: (name: MetricName) => Promise<number>;
}

const POLL_MS = 500;

/** The entries about a request, as soon as `isComplete` says so, or those that are there after `waitMs`. */
export async function waitForEntries(
  log: LoggedCapture,
  requestId: string,
  isComplete: (entries: readonly LogEntry[]) => boolean,
): Promise<readonly LogEntry[]> {
  const until = Date.now() + log.waitMs;
  for (;;) {
    const entries = await log.entries(requestId);
    if (isComplete(entries) || Date.now() >= until) return entries;
    await sleep(POLL_MS);
  }
}

/** The log files of the service that runs with a data folder. */
export function localCaptureLog(dataDir: string): LoggedCapture {
  return { waitMs: 10_000, entries: (requestId) => readEntries(openLocalLog(dataDir), requestId) };
}

const MINUTE_MS = 60_000;
/** How far back a query and a sum look. */
const RECENT_MS = 30 * MINUTE_MS;

async function readEntries(log: LogReader, requestId: string): Promise<readonly LogEntry[]> {
  const lines = await log.read({ ids: new Set([requestId]), since: Date.now() - RECENT_MS });
  return lines.map(({ json }) => json).filter((json) => json !== undefined);
}

/** The log of the function that captures, by Logs Insights, and the metrics of a deployed stage. */
export async function deployedCaptureLog(stage: string): Promise<LoggedCapture> {
  const groups = await findLogGroups(stage, ["Screenshot"]);
  const cloudWatch = new CloudWatchClient({});
  return {
    waitMs: INDEXING_MS,
    entries: (requestId) => readEntries(openInsightsLog(groups), requestId),
    async metricSum(MetricName) {
      const { Datapoints = [] } = await cloudWatch.send(
        new GetMetricStatisticsCommand({
          Namespace: METRIC_NAMESPACE,
          MetricName,
          Dimensions: [{ Name: STAGE_DIMENSION, Value: stage }],
          StartTime: new Date(Date.now() - RECENT_MS),
          EndTime: new Date(Date.now() + MINUTE_MS),
          Period: 60,
          Statistics: ["Sum"],
        }),
      );
      return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
    },
  };
}
