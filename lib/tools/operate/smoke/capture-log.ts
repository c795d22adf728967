// What the functions have logged of a capture: in the log files of the local service, or in CloudWatch.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CloudWatchClient, GetMetricStatisticsCommand } from "@aws-sdk/client-cloudwatch";
import { CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from "@aws-sdk/client-cloudwatch-logs";
import { METRIC_NAMESPACE, type MetricName, STAGE_DIMENSION } from "../../../service/platform/metrics.ts";
import { readStack } from "../teardown/deployed-stacks.ts";

/** A line of a log, parsed. */
export type LogEntry = Readonly<Record<string, unknown>>;

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
  const folder = join(dataDir, "logs");
  return {
    waitMs: 10_000,
    async entries(requestId) {
      const files = existsSync(folder) ? readdirSync(folder).filter((file) => !file.endsWith(".previous.log")) : [];
      // What comes after the last line break is still being written.
      const lines = files.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1));
      return lines.filter((line) => line.startsWith("{") && line.includes(requestId)).map(parseEntry);
    },
  };
}

/** CloudWatch makes a line searchable within a minute or two. */
const INDEXING_MS = 180_000;
const MINUTE_MS = 60_000;
/** How far back a query and a sum look. */
const RECENT_MS = 30 * MINUTE_MS;

/** The log of the function that captures, by Logs Insights, and the metrics of a deployed stage. */
export async function deployedCaptureLog(stage: string): Promise<LoggedCapture> {
  const name = `screen-capture-${stage}-service`;
  const { physicalIds = {} } = (await readStack(name)) ?? {};
  const logGroupName = Object.entries(physicalIds).find(([id]) => /^ScreenshotLog[0-9A-F]{8}$/.test(id))?.[1];
  if (logGroupName === undefined) throw new Error(`The stack ${name} has no log group of the function that captures.`);
  const logs = new CloudWatchLogsClient({});
  const cloudWatch = new CloudWatchClient({});
  return {
    waitMs: INDEXING_MS,
    async entries(requestId) {
      const [startTime, endTime] = [Date.now() - RECENT_MS, Date.now() + MINUTE_MS];
      const queryString = captureQuery(requestId);
      const { queryId } = await logs.send(new StartQueryCommand({ logGroupName, queryString, startTime, endTime }));
      for (;;) {
        const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
        if (status === "Scheduled" || status === "Running") {
          await sleep(POLL_MS);
          continue;
        }
        if (status !== "Complete") throw new Error(`Logs Insights ended the query as ${status}.`);
        return results
          .flatMap((fields) => fields.find(({ field }) => field === "@message")?.value ?? [])
          .map(parseEntry);
      }
    },
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

/** The query of Logs Insights for the entries about a request: events have its id in `message`, metrics have it at the top level. */
export function captureQuery(requestId: string): string {
  if (!/^\d+$/.test(requestId)) throw new Error(`'${requestId}' is no id of a request.`);
  return [
    "fields @message",
    `filter message.request_id = ${requestId} or request_id = "${requestId}"`,
    "sort @timestamp asc",
  ].join(" | ");
}

function parseEntry(text: string): LogEntry {
  return JSON.parse(text);
}
