// Queries of CloudWatch Logs Insights: no engine here offers them, so a server on loopback answers as its API does.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { expect, onTestFinished, test } from "vitest";
import { insightsQuery, openInsightsLog } from "../../../lib/service/logs/insights-log.ts";
import { clientOptions } from "../../../lib/tools/local/engines/client-options.ts";
import { listen, stopListening } from "../../../lib/tools/local/loopback.ts";
import { parseLogOptions, showLog } from "../../../lib/tools/operate/logs/log-command.ts";

const GROUP = "screen-capture-prod-service-ScreenshotLog0A1B2C3D-xYz";
const NOW = Date.parse("2026-11-30T12:00:00Z");

type Input = Readonly<Record<string, unknown>>;
type Row = readonly { readonly field: string; readonly value: string }[];

const row = (pointer: string, message: object | string): Row => [
  { field: "@timestamp", value: "2026-11-30 11:59:00.123" },
  { field: "@message", value: `${typeof message === "string" ? message : JSON.stringify(message)}\n` },
  { field: "@log", value: `123456789012:${GROUP}` },
  { field: "@ptr", value: pointer },
];

/** Answers `GetQueryResults` with each of the answers, one after the other, and then with the last. */
async function anApi(answers: readonly object[]) {
  const started: Input[] = [];
  const asked: Input[] = [];
  const server = createServer(async (request, response) => {
    const input = (await json(request)) as Input;
    response.setHeader("Content-Type", "application/x-amz-json-1.1");
    if (request.headers["x-amz-target"] === "Logs_20140328.StartQuery") {
      started.push(input);
      return response.end(JSON.stringify({ queryId: `query-${started.length}` }));
    }
    asked.push(input);
    return response.end(JSON.stringify(answers[Math.min(asked.length, answers.length) - 1]));
  });
  const address = await listen(server);
  const client = new CloudWatchLogsClient(clientOptions(`http://${address}`));
  onTestFinished(async () => {
    client.destroy();
    await stopListening(server);
  });
  return { client, started, asked };
}

test("Logs Insights: the query finds events and metrics of requests and accounts", () => {
  expect(insightsQuery({})).toBe("fields @timestamp, @message, @log, @ptr | sort @timestamp asc");
  expect(insightsQuery({ ids: new Set(["28", "29"]), account: "17" })).toBe(
    'fields @timestamp, @message, @log, @ptr | filter (message.request_id in [28, 29] or request_id in ["28", "29"] ' +
      'or message.job_id in [28, 29] or job_id in ["28", "29"] or message.group_id in [28, 29] or group_id in ["28", "29"]) ' +
      'and (message.account_id in [17] or account_id in ["17"]) | sort @timestamp asc',
  );
  expect(() => insightsQuery({ ids: new Set(['28" or 1 = 1']) })).toThrow("is no id");
});

test("Logs Insights: waits for the query, reads all of its pages, and shows lines as those of this machine", async () => {
  const { client, started, asked } = await anApi([
    { status: "Running", results: [] },
    {
      status: "Complete",
      results: [row("1", { timestamp: "2026-11-30T11:59:00.123Z", message: { event: "request" } })],
      nextToken: "more",
    },
    { status: "Complete", results: [row("2", "Task timed out")] },
  ]);
  const printed: string[] = [];
  const options = parseLogOptions(["--account", "17", "--since", "2h"], NOW);
  await showLog(() => openInsightsLog([GROUP], { client }), options, { print: (line) => void printed.push(line) });
  expect(printed).toEqual([
    "2026-11-30T11:59:00.123Z Screenshot request",
    "2026-11-30T11:59:00.123Z Screenshot Task timed out",
  ]);
  expect(started).toMatchObject([
    { logGroupNames: [GROUP], startTime: (NOW - 7_200_000) / 1000, endTime: expect.any(Number), limit: 100_000 },
  ]);
  expect(asked).toMatchObject([
    { queryId: "query-1", maxItems: 10_000 },
    { queryId: "query-1" },
    { queryId: "query-1", nextToken: "more" },
  ]);
});

test("Logs Insights: a reader that follows reads the last minutes again, and returns each line once", async () => {
  const { client, started } = await anApi([
    { status: "Complete", results: [row("1", "one")] },
    { status: "Complete", results: [row("1", "one"), row("2", "two")] },
  ]);
  const log = openInsightsLog([GROUP], { client });
  const filter = { since: Date.now() - 3_600_000 };
  expect((await log.read(filter)).map(({ text }) => text)).toEqual(["one"]);
  expect((await log.read(filter)).map(({ text }) => text)).toEqual(["two"]);
  const [first, second] = started.map(({ startTime }) => Number(startTime));
  expect(second).toBeGreaterThan(Number(first) + 3_000);
});

test("Logs Insights: more than 50 log groups are several queries, and a failed query is an error", async () => {
  const { client, started } = await anApi([{ status: "Complete", results: [] }]);
  await openInsightsLog(
    Array.from({ length: 60 }, (_, index) => `group-${index}`),
    { client },
  ).read({ since: 0 });
  expect(started.map(({ logGroupNames }) => (logGroupNames as string[]).length)).toEqual([50, 10]);
  const { client: failing } = await anApi([{ status: "Failed" }]);
  await expect(openInsightsLog([GROUP], { client: failing }).read({ since: 0 })).rejects.toThrow("as Failed");
});
