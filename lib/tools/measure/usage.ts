// The cost of a page of the usage list and of its statistics, by number of captures and by depth of the page.
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Reads, readsOf } from "../../../test/fixtures/read-units.ts";
import { seededRandom } from "../../../test/fixtures/seeded-random.ts";
import { hourItems, logItems, monthItems, writeItems } from "../../../test/fixtures/usage-items.ts";
import { openAccount } from "../../service/account/open-account.ts";
import { createId } from "../../service/platform/ids.ts";
import { type CaptureEvent, type CaptureLog, createCaptureLog } from "../../service/usage/capture-log.ts";
import { queryDayCounters } from "../../service/usage/counter-store.ts";
import { DAY_MS } from "../../service/usage/day.ts";
import { type ListQuery, queryCaptures } from "../../service/usage/list-store.ts";
import { dayRange } from "../../service/usage/statistics.ts";
import { parseListOptions, parseStatisticsOptions } from "../../service/usage/usage-options.ts";
import { useLocalDynamoDb } from "../local/cli/find-service.ts";
import { type Service, startService } from "../local/service.ts";
import { figureTable, median, pairwiseRatios } from "./figures.ts";
import type { Measurement, Report } from "./measurement.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const CAPTURES = 50_000;
const FAILED_SHARE = 0.01;

/** An account may send 150 requests a minute, and one of them is asked for 7 times as many. */
const MOST_RUNS = 18;

/** Two pages of a list; the second may cost so many times what the first does. */
interface Comparison {
  readonly name: string;
  readonly history: History;
  readonly filter: Readonly<Record<string, string>>;
  readonly deepest: number;
  readonly most: number;
}

/** An account with many captures. */
interface History {
  readonly key: string;
  readonly view: ListQuery;
}

export const usage: BenchGroup = {
  name: "usage",
  parts: ["usage"],
  measure: (_, bench) => measureUsage(bench),
};

/** Starts a service of its own, without a browser; `runs` are the requests for each page. */
async function measureUsage({ assembly, runs: wanted }: Workbench): Promise<Report> {
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(fastFolder(), "bench-usage-"));
  started.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const service = await startService({
    assembly: await assembly(),
    dataDir,
    environment: ({ baseUrl }) => ({ BASE_URL: baseUrl }),
  });
  started.defer(() => service.close());
  useLocalDynamoDb(service.endpoints.dynamodb);

  const runs = Math.min(wanted, MOST_RUNS);
  const now = Date.now();
  const today = now - (now % DAY_MS);
  const month = await openHistory(service, { from: today - 29 * DAY_MS, to: now, now });
  const day = await openHistory(service, { from: today - DAY_MS, to: today, now });
  const deepest = CAPTURES / 25;
  const failed = { status: "failed" };
  const comparisons: Comparison[] = [
    { name: "all, over 30 days", history: month, filter: {}, deepest, most: 1.5 },
    { name: "all, 30 days, at noon", history: month, filter: {}, deepest: deepest - 34, most: 2 }, // furthest from either end
    { name: "all, on one day", history: day, filter: {}, deepest, most: 5 },
    { name: "failed, over 30 days", history: month, filter: failed, deepest: deepest * FAILED_SHARE, most: 1.5 },
    { name: "failed, on one day", history: day, filter: failed, deepest: deepest * FAILED_SHARE, most: 5 },
  ];
  const rows = [["usage list", "pages", "time", "", "ratio", "queries", "", "units", "", "ratio"]];
  const measurements: Measurement[] = [];
  const failures: string[] = [];
  for (const comparison of comparisons) {
    const { cells, ratios, measured } = await compare(service.baseUrl, comparison, runs);
    rows.push(cells);
    measurements.push(...measured);
    if (ratios.some((ratio) => ratio > comparison.most)) failures.push(`A deep page costs MORE: ${comparison.name}.`);
  }
  const statistics = statisticsReading(service.baseUrl, month);
  await visit([statistics], month, runs);
  measurements.push(...toMeasurements("usage: statistics over 90 days", statistics));
  const ofStatistics = (figure: keyof Visit) => medianFigure(statistics, figure);
  if (ofStatistics("queries") !== 1) failures.push("Statistics take more than one query.");
  const lines = [
    `Pages of ${CAPTURES.toLocaleString("en")} captures, in turns: medians over HTTP, and what DynamoDB is asked for:\n`,
    figureTable(rows),
    `\nStatistics over 90 days: ${ofStatistics("milliseconds").toFixed(1)} ms, queries ${ofStatistics("queries")}, read units ${ofStatistics("units")}.`,
  ];
  return { text: lines.join("\n"), measurements, failures };
}

/** Memory where there is enough of it: a disk makes the captures take minutes to write. */
function fastFolder(): string {
  const memory = statfsSync("/dev/shm", { bigint: true });
  return memory.bavail * memory.bsize > 2n ** 30n ? "/dev/shm" : tmpdir();
}

/** An account with all of its captures between two times, in milliseconds since 1970. */
async function openHistory(
  { outputs }: Service,
  { from, to, now }: { from: number; to: number; now: number },
): Promise<History> {
  const { AccountsTable = "", UsageTable = "", ActivityTable = "" } = outputs;
  const { key, apiKey } = await openAccount(AccountsTable, { plan: "max", label: "Bench", now });
  const logs = generateCaptures(apiKey.account_id, apiKey.id, { from, to });
  await Promise.all([
    writeItems(ActivityTable, logItems(logs)),
    writeItems(UsageTable, [...monthItems(logs), ...hourItems(logs)]),
  ]);
  const view = { usage: UsageTable, activity: ActivityTable, accountId: apiKey.account_id, now, retentionDays: 400 };
  return { key, view };
}

function generateCaptures(
  user_id: number,
  api_key_id: number,
  { from, to }: { from: number; to: number },
): CaptureLog[] {
  const random = seededRandom(to);
  const event: CaptureEvent = {
    user_id,
    api_key_id,
    url: "https://example.com/",
    options: { url: "https://example.com/" },
    format: "png",
    status: "success",
    http_status_code: null,
    error_message: null,
    response_time_ms: 1200,
    file_size_bytes: 34_567,
    cached: false,
    ip_address: "192.0.2.1",
    api_key: { id: api_key_id, label: "Bench", key_prefix: "cap_01234567" },
  };
  return Array.from({ length: CAPTURES }, (_, index) => {
    const time = from + Math.floor(((index + random()) * (to - from)) / CAPTURES);
    const status = index % (1 / FAILED_SHARE) === 0 ? "failed" : "success";
    return createCaptureLog(createId(time, random()), { ...event, status });
  });
}

async function compare(baseUrl: string, { name, history, filter, deepest, most }: Comparison, runs: number) {
  const first = pageReading(baseUrl, history, { ...filter, page: "1" });
  const deep = pageReading(baseUrl, history, { ...filter, page: String(deepest) });
  await visit([first, deep], history, runs);
  const both = (figure: keyof Visit) => [medianFigure(first, figure), medianFigure(deep, figure)] as const;
  const [times, units] = [both("milliseconds"), both("units")];
  const ratios = [times, units].map(([ofFirst, ofDeep]) => ofDeep / ofFirst);
  const cells = [
    `${name} (at most ${most})`,
    `1 and ${deepest.toLocaleString("en")}`,
    ...times.map((milliseconds) => `${milliseconds.toFixed(1)} ms`),
    (ratios[0] ?? 0).toFixed(2),
    ...both("queries").map(String),
    ...units.map(String),
    (ratios[1] ?? 0).toFixed(2),
  ];
  const measured = [
    ...toMeasurements(`usage: ${name}, page 1`, first),
    ...toMeasurements(`usage: ${name}, page ${deepest}`, deep),
  ];
  return { cells, ratios, measured };
}

/** A page that can be requested from the service, and read from DynamoDB without it. */
interface Reading {
  readonly address: string;
  read(): Promise<unknown>;
  readonly visits: Visit[];
}

interface Visit extends Reads {
  readonly milliseconds: number;
  /** Of its reads alone, right after. */
  readonly millisecondsOfReads: number;
}

function pageReading(baseUrl: string, { view }: History, query: Readonly<Record<string, string>>): Reading {
  return {
    address: `${baseUrl}/api/v1/usage?${new URLSearchParams(query)}`,
    async read() {
      const { logs } = await queryCaptures(view, parseListOptions(query));
      if (logs.length !== 25) throw new Error(`Page ${query["page"]} of the list has ${logs.length} captures.`);
    },
    visits: [],
  };
}

function statisticsReading(baseUrl: string, { view }: History): Reading {
  const range = dayRange(parseStatisticsOptions({ days: "90" }), view.now);
  return {
    address: `${baseUrl}/api/v1/usage/stats?days=90`,
    read: () => queryDayCounters(view, range),
    visits: [],
  };
}

/** Runs in turns; the first one is a warm-up and does not count. */
async function visit(readings: readonly Reading[], history: History, runs: number): Promise<void> {
  for (let run = -1; run < runs; run++) {
    for (const { address, read, visits } of readings) {
      const milliseconds = await timed(address, history);
      const startedAt = performance.now();
      const { reads } = await readsOf(read);
      const millisecondsOfReads = performance.now() - startedAt;
      if (run >= 0) visits.push({ ...reads, milliseconds, millisecondsOfReads });
    }
  }
}

const listFigures = ({ visits }: Reading, figure: keyof Visit) => visits.map((each) => each[figure]);

const medianFigure = (reading: Reading, figure: keyof Visit) => median(listFigures(reading, figure));

/**
 * What a later run is held to. Times are DynamoDB's for the most part, whose engine here takes up to twice as long in one
 * process as in the next, and units are rounded up for each query, by sizes that differ with the digits of an account's
 * number: what is compared is how many queries there are, and what the service adds to their time.
 */
function toMeasurements(name: string, reading: Reading): Measurement[] {
  const ratios = pairwiseRatios(listFigures(reading, "milliseconds"), listFigures(reading, "millisecondsOfReads"));
  return [
    { name: `${name}, beside its reads alone`, unit: "ratio", samples: ratios },
    { name: `${name}, queries`, unit: "calls", samples: listFigures(reading, "queries") },
  ];
}

async function timed(address: string, { key }: History): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
  const body = await response.text();
  const milliseconds = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${body}`);
  return milliseconds;
}
