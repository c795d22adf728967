// Calls of a capture to databases and queues: their number, and the longest sequential chain.
import { inARow } from "./call-chain.ts";
import type { Call } from "./counting-engine.ts";
import { figureTable, median } from "./figures.ts";
import type { Measured } from "./instrumented-service.ts";
import {
  asynchronous,
  cached,
  jsonResult,
  type Kind,
  measureKind,
  pdf,
  type ReceivedResponse,
  refused,
  smallPng,
  smallPngWithThumbnail,
} from "./kinds.ts";
import type { Measurement } from "./measurement.ts";
import type { BenchGroup } from "./workbench.ts";

/** Longer than the time between two calls that do not wait for each other, so that these overlap. */
const HELD_MS = 40;

const RUNS = 3;

/** Before a capture starts: authentication, and then all calls that can run in parallel. */
const MOST_BEFORE_CAPTURE = 2;

interface CountedKind {
  readonly kind: Kind;
  /** Whether a caller waits for its capture, so that the bound holds. */
  readonly isBounded?: boolean;
}

const kinds: readonly CountedKind[] = [
  { kind: smallPng, isBounded: true },
  { kind: smallPngWithThumbnail, isBounded: true },
  { kind: jsonResult, isBounded: true },
  { kind: pdf, isBounded: true },
  { kind: cached },
  { kind: asynchronous },
  { kind: refused },
];

const partName = ({ kind }: CountedKind) => `calls of ${kind.name}`;

export const calls: BenchGroup = {
  name: "calls",
  parts: kinds.map(partName),
  async measure(wanted, bench) {
    const service = await bench.instrumented();
    await measureKind(smallPng, { service, number: 0 }); // a function that starts reads more
    service.hold({ dynamodb: HELD_MS, s3: HELD_MS, sqs: HELD_MS });
    const rows = [["capture", ...Object.values(columns)]];
    const details: string[] = [];
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    let number = 0;
    for (const counted of kinds.filter((each) => wanted.includes(partName(each)))) {
      const counts: Counts[] = [];
      for (let run = 0; run < Math.min(RUNS, bench.runs); run++) {
        const watched = await measureKind(counted.kind, { service, number: ++number });
        counts.push(countCalls(watched));
        if (run === 0) details.push(`${counted.kind.name}: ${listCallNames(watched.calls)}`);
      }
      const most = medians(counts);
      const { name } = counted.kind;
      rows.push([name, ...columnNames.map((column) => formatCell(most[column]))]);
      measurements.push(...toMeasurements(`calls: ${name}`, counts));
      if (counted.isBounded && (most.beforeCapture ?? 0) > MOST_BEFORE_CAPTURE) {
        failures.push(
          `${name}: ${most.beforeCapture} calls in a row come before the capture, not ${MOST_BEFORE_CAPTURE}.`,
        );
      }
      bench.done(partName(counted));
    }
    service.hold({ dynamodb: 0, s3: 0, sqs: 0 });
    const heading = `Calls of the functions, each answer held for ${HELD_MS} ms so that those at the same time overlap:`;
    return { text: `${heading}\n\n${figureTable(rows)}\n\n${details.join("\n")}`, measurements, failures };
  },
};

const columns = {
  dynamodb: "DynamoDB",
  s3: "S3",
  sqs: "SQS",
  beforeCapture: "in a row before the capture",
  beforeAnswer: "in a row before the answer",
  afterAnswer: "after the answer",
} as const;

type Column = keyof typeof columns;
const columnNames = Object.keys(columns) as Column[];

/** Undefined where there is no capture to be before. */
type Counts = Readonly<Record<Column, number | undefined>>;

/** The capture can have waited only for calls that had ended when the page was requested. */
function countCalls({ calls: all, visitedAt, outcome }: Measured<ReceivedResponse>): Counts {
  const of = (engine: Call["engine"]) => all.filter((call) => call.engine === engine).length;
  const endedBy = (time: number) => all.filter(({ endedAt }) => endedAt <= time);
  return {
    dynamodb: of("dynamodb"),
    s3: of("s3"),
    sqs: of("sqs"),
    beforeCapture: visitedAt === undefined ? undefined : inARow(endedBy(visitedAt)),
    beforeAnswer: inARow(endedBy(outcome.answeredAt)),
    afterAnswer: all.filter(({ endedAt }) => endedAt > outcome.answeredAt).length,
  };
}

function medians(counts: readonly Counts[]): Counts {
  const of = (column: Column) => {
    const values = counts.map((each) => each[column]).filter((value) => value !== undefined);
    return [column, values.length > 0 ? median(values) : undefined];
  };
  return Object.fromEntries(columnNames.map(of)) as Counts;
}

const formatCell = (count: number | undefined) => (count === undefined ? "–" : String(count));

function toMeasurements(name: string, counts: readonly Counts[]): Measurement[] {
  return columnNames.flatMap((column) => {
    const samples = counts.map((each) => each[column]).filter((value) => value !== undefined);
    return samples.length > 0 ? [{ name: `${name}, ${columns[column]}`, unit: "calls" as const, samples }] : [];
  });
}

/** In the order of their beginning. */
function listCallNames(all: readonly Call[]): string {
  return [...all]
    .sort((a, b) => a.startedAt - b.startedAt)
    .map(({ operation }) => operation)
    .join(", ");
}
