// CloudWatch Logs Insights on loopback, for lines that are given: no engine here offers it.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { onTestFinished } from "vitest";
import { clientOptions } from "../../lib/tools/local/engines/client-options.ts";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";
import { type LogLine, runQuery } from "./logs-insights.ts";

/** A line of a log group. */
export interface GroupLine {
  readonly group: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The input of `StartQuery`. */
export interface StartedQuery {
  readonly logGroupNames: readonly string[];
  readonly queryString: string;
  readonly startTime: number;
  readonly endTime: number;
}

export interface InsightsApi {
  readonly client: CloudWatchLogsClient;
  readonly started: readonly StartedQuery[];
  /** How many rows were answered. */
  readonly rowCount: () => number;
}

/** Runs the queries on the lines. Each is running when it is asked for first, and forever where `isStuck`. */
export async function startInsightsApi(lines: readonly GroupLine[], { isStuck = false } = {}): Promise<InsightsApi> {
  const started: StartedQuery[] = [];
  const polled = new Set<string>();
  let rowCount = 0;
  const server = createServer(async (request, response) => {
    const input = (await json(request)) as StartedQuery & { readonly queryId: string };
    response.setHeader("Content-Type", "application/x-amz-json-1.1");
    if (request.headers["x-amz-target"] === "Logs_20140328.StartQuery") {
      started.push(input);
      return response.end(JSON.stringify({ queryId: String(started.length - 1) }));
    }
    if (isStuck || !polled.has(input.queryId)) {
      polled.add(input.queryId);
      return response.end(JSON.stringify({ status: "Running", results: [] }));
    }
    const rows = answerQuery(started[Number(input.queryId)], lines);
    rowCount += rows.length;
    return response.end(JSON.stringify({ status: "Complete", results: rows }));
  });
  const address = await listen(server);
  const client = new CloudWatchLogsClient(clientOptions(`http://${address}`));
  onTestFinished(async () => {
    client.destroy();
    await stopListening(server);
  });
  return { client, started, rowCount: () => rowCount };
}

function answerQuery(query: StartedQuery | undefined, lines: readonly GroupLine[]) {
  if (!query) return [];
  const found = lines.filter(
    ({ group, at }) =>
      query.logGroupNames.includes(group) && at >= query.startTime * 1000 && at <= query.endTime * 1000 + 999,
  );
  const rows = found.map(({ group, text, at }, index) => ({
    ...readFields(text),
    "@timestamp": new Date(at).toISOString().replace("T", " ").replace("Z", ""),
    "@message": text,
    "@log": `123456789012:${group}`,
    "@ptr": `${group}-${index}`,
  }));
  return runQuery(query.queryString, rows).map((row) =>
    Object.entries(row).flatMap(([field, value]) => (value === undefined ? [] : [{ field, value: String(value) }])),
  );
}

function readFields(text: string): LogLine {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
