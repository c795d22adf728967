// Runs queries of CloudWatch Logs Insights.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CloudWatchLogsClient,
  GetQueryResultsCommand,
  MalformedQueryException,
  StartQueryCommand,
} from "@aws-sdk/client-cloudwatch-logs";

const POLL_MS = 500;
/** Quotas of Logs Insights: log groups of a query, lines of its result, and lines of a page of the result. */
const MAX_GROUPS = 50;
export const MAX_ROWS = 100_000;
const PAGE_ROWS = 10_000;

export interface InsightsQuery {
  readonly query: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

/** The fields of a row by their names. */
export type InsightsRow = Readonly<Record<string, string>>;

export interface InsightsLog {
  readonly client: CloudWatchLogsClient;
  readonly groups: readonly string[];
  /** Ends a query that takes too long: `runQuery` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a query of one set of log groups after the other, at most 50 each, and resolves to the rows of all. Throws when it fails. */
export async function runQuery(log: InsightsLog, query: InsightsQuery): Promise<InsightsRow[]> {
  const rows: InsightsRow[] = [];
  for (let first = 0; first < log.groups.length; first += MAX_GROUPS) {
    const groups = log.groups.slice(first, first + MAX_GROUPS);
    rows.push(...(await runQueryOnce({ ...log, groups }, query)));
  }
  return rows;
}

async function runQueryOnce(
  { client, groups, signal: abortSignal }: InsightsLog,
  { query, since, until }: InsightsQuery,
): Promise<InsightsRow[]> {
  const start = new StartQueryCommand({
    logGroupNames: [...groups],
    queryString: query,
    startTime: Math.floor(since / 1000),
    endTime: Math.ceil(until / 1000),
    limit: MAX_ROWS,
  });
  const options = { ...(abortSignal && { abortSignal }) };
  const started = await client.send(start, options).catch(noneBeforeRetention);
  if (!started) return [];
  const rows: InsightsRow[] = [];
  for (let nextToken: string | undefined; ; ) {
    const read = new GetQueryResultsCommand({ queryId: started.queryId, nextToken, maxItems: PAGE_ROWS });
    const page = await client.send(read, options);
    if (page.status === "Scheduled" || page.status === "Running") {
      await sleep(POLL_MS, undefined, abortSignal && { signal: abortSignal });
      continue;
    }
    if (page.status !== "Complete") throw new Error(`Logs Insights ended the query as ${page.status}.`);
    for (const fields of page.results ?? [])
      rows.push(Object.fromEntries(fields.map(({ field = "", value = "" }) => [field, value])));
    if (page.nextToken === undefined) return rows;
    nextToken = page.nextToken;
  }
}

/** Insights refuses a time of which it has no log any more, or not yet: "… before the log groups creation time or exceeds the log groups log retention settings". */
function noneBeforeRetention(error: unknown): undefined {
  if (error instanceof MalformedQueryException && error.message.includes("retention settings")) return undefined;
  throw error;
}
