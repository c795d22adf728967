// The logs of a deployed stage, line by line, by queries of CloudWatch Logs Insights.
import type { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { cloudWatchLogs } from "../aws/clients/logs.ts";
import { type InsightsRow, MAX_ROWS, runQuery } from "./insights-query.ts";
import { ID_FIELDS, type LogFilter, type LogLine, type LogReader, parseLine } from "./log-line.ts";

/** Between two queries of a reader that follows the log: each is billed by what it scans. */
const FOLLOW_MS = 10_000;
/** CloudWatch makes a line searchable within a minute or two. */
export const INDEXING_MS = 180_000;

export interface InsightsLogOptions {
  readonly client?: CloudWatchLogsClient;
  /** Ends a call that takes too long. */
  readonly signal?: AbortSignal;
}

/** A reader of log groups. It reads the last minutes again with each call, because lines are found late. */
export function openInsightsLog(
  groups: readonly string[],
  { client = cloudWatchLogs(), signal }: InsightsLogOptions = {},
): LogReader {
  /** The lines that were read, by their pointers. */
  const read = new Set<string>();
  let readUntil = 0;
  return {
    pollMs: FOLLOW_MS,
    async read(filter) {
      const now = Date.now();
      const since = Math.max(filter.since, readUntil - INDEXING_MS);
      readUntil = now;
      const query = insightsQuery(filter);
      const rows = await runQuery(
        { client, groups, signal },
        { query, since, until: Math.min(now, filter.until ?? now) },
      );
      if (rows.length >= MAX_ROWS) throw tooManyLines();
      const lines: LogLine[] = [];
      for (const row of rows) {
        const pointer = row["@ptr"] ?? "";
        if (!read.has(pointer)) lines.push(toLine(row));
        read.add(pointer);
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

function toLine({ "@timestamp": timestamp = "", "@log": log = "", "@message": message = "" }: InsightsRow): LogLine {
  const source = log.replace(/^\d+:/, ""); // of the AWS account
  return parseLine(source, message.trimEnd(), Date.parse(`${timestamp.replace(" ", "T")}Z`));
}

function tooManyLines(): Error {
  return new Error(
    `There are more than ${MAX_ROWS.toLocaleString("en")} lines. Name a request, an account, or a shorter time with --since.`,
  );
}
