// The operator's view of the logs of a deployed stage. Queries compute the sums, so that few rows are transferred.
import type { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { ApiError } from "../../contract/errors/api-error.ts";
import { cloudWatchLogs } from "../aws/clients/logs.ts";
import { openInsightsLog } from "./insights-log.ts";
import { type InsightsLog, type InsightsRow, runQuery } from "./insights-query.ts";
import type { CaptureFailures, OperatorLog, StartMetric } from "./operator-log.ts";
import { readRequestLines } from "./request-lines.ts";
import { requestFilter } from "./request-window.ts";

/** API Gateway waits for 29 seconds. */
const MAX_SEARCH_MS = 20_000;

export interface InsightsOperatorLogOptions {
  readonly startMetric: StartMetric;
  readonly client?: CloudWatchLogsClient;
  /** Milliseconds. @default 20 seconds */
  readonly maxSearchMs?: number;
}

/** The log groups of a stage's functions. */
export function insightsOperatorLog(
  groups: readonly string[],
  { startMetric, client = cloudWatchLogs(), maxSearchMs = MAX_SEARCH_MS }: InsightsOperatorLogOptions,
): OperatorLog {
  const search = async <T>(run: (log: InsightsLog & { readonly signal: AbortSignal }) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(maxSearchMs);
    try {
      return await run({ client, groups, signal });
    } catch (error) {
      throw signal.aborted ? searchTimedOut(maxSearchMs, error) : error;
    }
  };
  return {
    findRequest: (id) =>
      search(async (log) => (await readRequestLines(() => openInsightsLog(groups, log), requestFilter(id))).lines),
    summarizeCaptures: (since) =>
      search(async (log) => {
        const time = { since, until: Date.now() };
        const [totals, failures] = await Promise.all([
          runQuery(log, { ...time, query: totalsQuery(startMetric) }),
          runQuery(log, { ...time, query: FAILURES_QUERY }),
        ]);
        return { ...readTotals(totals), failures: failures.map(readFailures) };
      }),
  };
}

/** `milliseconds` is a text in these lines, of which Insights computes as of a number. */
const totalsQuery = (startMetric: StartMetric) =>
  [
    "filter Captures = 1 or RendererStarts > 0",
    `stats sum(Captures) as captures, pct(milliseconds, 50) as p50, pct(milliseconds, 95) as p95, sum(${startMetric}) as starts`,
  ].join(" | ");

const FAILURES_QUERY = [
  "filter Captures = 1 and ispresent(code)",
  "stats sum(Captures) as failures by code, blame",
  "sort failures desc",
].join(" | ");

/** There is no row without a capture. */
function readTotals([row = {}]: readonly InsightsRow[]) {
  const { captures = "", p50 = "", p95 = "", starts = "" } = row;
  return {
    captures: Number(captures),
    p50Ms: p50 === "" ? null : Math.round(Number(p50)),
    p95Ms: p95 === "" ? null : Math.round(Number(p95)),
    rendererStarts: Number(starts),
  };
}

const readFailures = ({ code = "", blame = "", failures = "" }: InsightsRow): CaptureFailures => ({
  code,
  blame,
  count: Number(failures),
});

function searchTimedOut(maxSearchMs: number, cause: unknown): ApiError {
  const message = `CloudWatch Logs Insights did not search the logs within ${maxSearchMs / 1000} s. Retry, or use npm run logs with --stage.`;
  return new ApiError("INTERNAL_ERROR", message, { cause });
}
