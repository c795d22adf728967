// How many captures a second the tables take, of one account and in total, before and after counters were spread over shards.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { figureTable, quantile } from "./figures.ts";
import type { Measurement, Report } from "./measurement.ts";
import { prices } from "./prices.ts";
import type { LoadRecording, ScaleLoad, ScaleResult } from "./scale-load.ts";
import type { BenchGroup } from "./workbench.ts";

interface Scenario extends Omit<ScaleLoad, "machineRate"> {
  readonly name: string;
  /** Whether nothing may be lost in it. */
  readonly isPromised: boolean;
}

/** Ten thousand a minute. */
const FAST = 10_000 / 60;
const one = (rate: number) => [rate];
const many = [FAST, ...Array.from({ length: 100 }, () => (1_000 - FAST) / 100)];

const scenario = (
  name: string,
  rates: readonly number[],
  seconds: number,
  recording: LoadRecording,
  isJob = false,
): Scenario => ({
  name: `scale: ${name}, ${recording}`,
  isJob,
  rates,
  seconds,
  recording,
  isPromised: recording === "shards",
});

const scenarios: readonly Scenario[] = [
  scenario("one account, 5/s", one(5), 20, "one item"),
  scenario("one account, 25/s", one(25), 20, "one item"),
  scenario("one account, 167/s", one(FAST), 10, "one item"),
  scenario("1,000/s in total", many, 3, "one item"),
  scenario("jobs of one account, 25/s", one(25), 12, "one item", true),
  scenario("one account, 5/s", one(5), 20, "shards"),
  { ...scenario("150 a minute, in a second", one(150), 1, "shards"), requestsPerMinute: 150 },
  scenario("one account, 25/s", one(25), 20, "shards"),
  scenario("one account, 167/s", one(FAST), 10, "shards"),
  scenario("1,000/s in total", many, 3, "shards"),
  scenario("jobs of one account, 25/s", one(25), 12, "shards", true),
  scenario("jobs of one account, 167/s", one(FAST), 6, "shards", true),
];

/** What a machine with two cores makes in a second with half of its time. */
const MACHINE_RATE = 60;

export const scale: BenchGroup = {
  name: "scale",
  parts: scenarios.map(({ name }) => name),
  async measure(wanted, bench): Promise<Report> {
    const load = fork(join(import.meta.dirname, "scale-process.ts"), { serialization: "advanced" });
    const rows = [
      [
        "load",
        "offered",
        "recorded",
        "lost",
        "wrong",
        "conflicts",
        "throttled",
        "p50",
        "p99",
        "write units",
        "$ per 1,000",
        "busiest partition",
      ],
    ];
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    for (const each of scenarios.filter(({ name }) => wanted.includes(name))) {
      load.send({ ...each, machineRate: MACHINE_RATE } satisfies ScaleLoad);
      const [result] = (await once(load, "message")) as [ScaleResult];
      rows.push(toRow(each.name, result));
      if (each.isPromised && result.failed + result.wrong > 0) {
        failures.push(`${each.name}: ${result.failed} captures are lost, and ${result.wrong} counts are wrong.`);
      }
      measurements.push({ name: `${each.name}, write units`, unit: "calls", samples: [result.unitsPerCapture] });
      bench.done(each.name);
    }
    load.disconnect();
    return { text: `${HEAD}\n\n${figureTable(rows)}`, measurements, failures };
  },
};

const HEAD = `Captures on the real stores, with DynamoDB's conflicts and limits of a partition. A transaction updates its items for 20 ms.
"One item" is how version 1.0 counted. Units and dollars are those of the rate limit and the record, refused writes included.`;

function toRow(name: string, { times, ...result }: ScaleResult): string[] {
  const time = (share: number) => (times.length === 0 ? "" : `${quantile(times, share).toFixed(0)} ms`);
  const [kind = "", units = 0] = [...result.busiest].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return [
    name.replace(/^scale: /, ""),
    String(result.offered),
    String(result.recorded),
    `${result.failed} (${((100 * result.failed) / result.offered).toFixed(0)}%)`,
    String(result.wrong),
    String(result.conflicts),
    String(result.throttled),
    time(0.5),
    time(0.99),
    result.unitsPerCapture.toFixed(1),
    (1_000 * result.unitsPerCapture * prices.dynamoWriteUnit).toFixed(4),
    `${kind} ${units.toFixed(0)}/s`,
  ];
}
