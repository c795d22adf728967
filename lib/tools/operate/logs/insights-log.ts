// The logs of a deployed stage, by queries of CloudWatch Logs Insights.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
import { setTimeout as sleep } from "node:timers/promises";
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { readStack } from "../teardown/deployed-stacks.ts";
import { ID_FIELDS, type LogFilter, type LogLine, type LogReader, parseLine } from "./log-line.ts";

const POLL_MS = 500;
/** Between two queries of a reader that follows the log: each is billed by what it scans. */
const FOLLOW_MS = 10_000;
/** CloudWatch makes a line searchable within a minute or two. */
export const INDEXING_MS = 180_000;
/** Quotas of Logs Insights: log groups of a query, lines of its result, and lines of a page of the result. */
const MAX_GROUPS = 50;
const MAX_LINES = 100_000;
const PAGE_LINES = 10_000;

/** The log groups of a stage's functions, or of those alone that have one of the construct ids. */
export async function findLogGroups(stage: string, constructs?: readonly string[]): Promise<string[]> {
  const name = `screen-capture-${stage}-service`;
  const { physicalIds = {} } = (await readStack(name)) ?? {};
  const groups = Object.entries(physicalIds).flatMap(([id, group]) => {
    const [, construct = ""] = /^(\w+)Log[0-9A-F]{8}$/.exec(id) ?? [];
    const isOfFunction = construct !== "" && !construct.endsWith("Access"); // API Gateway's
    return isOfFunction && (constructs?.includes(construct) ?? true) ? [group] : [];
  });
  if (groups.length > 0) return groups;
  throw new Error(
    `The stack ${name} has no log group of ${constructs?.join(", ") ?? "a function"}. Deploy the stage first: npm run deploy.`,
  );
}

/** A reader of log groups. It reads the last minutes again with each call, because lines are found late. */
export function openInsightsLog(logGroupNames: readonly string[], client = new CloudWatchLogsClient({})): LogReader {
  /** The lines that were read, by their pointers. */
  const read = new Set<string>();
  let readUntil = 0;
  return {
    pollMs: FOLLOW_MS,
    async read(filter) {
      const now = Date.now();
      const since = Math.max(filter.since, readUntil - INDEXING_MS);
      readUntil = now;
      const lines: LogLine[] = [];
      for (let first = 0; first < logGroupNames.length; first += MAX_GROUPS) {
        const groups = logGroupNames.slice(first, first + MAX_GROUPS);
        for (const row of await runQuery(client, { groups, filter, since, until: now })) {
          const { pointer, line } = readRow(row);
          if (!read.has(pointer)) lines.push(line);
          read.add(pointer);
        }
      }
      return lines.toSorted((one, other) => one.at - other.at);
    },
  };
}

/**
 * The query for the lines that match. Events have their fields in `message`, with numbers; metrics have them at the top level, as
 * texts.
 */
export function insightsQuery({ ids, account }: Pick<LogFilter, "ids" | "account">): string {
  const conditions = [
    ids && oneOf(ID_FIELDS, [...ids]),
    account === undefined ? undefined : oneOf(["account_id"], [account]),
  ].filter((condition) => condition !== undefined);
  return [
    "fields @timestamp, @message, @log, @ptr",
    ...(conditions.length > 0 ? [`filter ${conditions.join(" and ")}`] : []),
    "sort @timestamp asc",
  ].join(" | ");
}

function oneOf(names: readonly string[], ids: readonly string[]): string {
  const wrong = ids.find((id) => !/^\d+$/.test(id));
  if (wrong !== undefined) throw new Error(`'${wrong}' is no id.`);
  const alternatives = names.flatMap((name) => [
    `message.${name} in [${ids.join(", ")}]`,
    `${name} in [${ids.map((id) => `"${id}"`).join(", ")}]`,
  ]);
  return `(${alternatives.join(" or ")})`;
}

interface Query {
  readonly groups: readonly string[];
  readonly filter: LogFilter;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

async function runQuery(
  client: CloudWatchLogsClient,
  { groups, filter, since, until }: Query,
): Promise<ResultField[][]> {
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupNames: [...groups],
      queryString: insightsQuery(filter),
      startTime: Math.floor(since / 1000),
      endTime: Math.ceil(until / 1000),
      limit: MAX_LINES,
    }),
  );
  const rows: ResultField[][] = [];
  for (let nextToken: string | undefined; ; ) {
    const page = await client.send(new GetQueryResultsCommand({ queryId, nextToken, maxItems: PAGE_LINES }));
    if (page.status === "Scheduled" || page.status === "Running") {
      await sleep(POLL_MS);
      continue;
    }
    if (page.status !== "Complete") throw new Error(`Logs Insights ended the query as ${page.status}.`);
    rows.push(...(page.results ?? []));
    if (page.nextToken === undefined) break;
    nextToken = page.nextToken;
  }
  if (rows.length < MAX_LINES) return rows;
  throw new Error(
    `There are more than ${MAX_LINES.toLocaleString("en")} lines. Name a request, an account, or a shorter time with --since.`,
  );
}

function readRow(row: readonly ResultField[]): { readonly pointer: string; readonly line: LogLine } {
  const get = (name: string) => row.find(({ field }) => field === name)?.value ?? "";
  const source = get("@log").replace(/^\d+:/, ""); // of the AWS account
  const at = Date.parse(`${get("@timestamp").replace(" ", "T")}Z`);
  return { pointer: get("@ptr"), line: parseLine(source, get("@message").trimEnd(), at) };
}
