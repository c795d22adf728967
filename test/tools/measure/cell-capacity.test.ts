// The capacity of a cell: its ceilings by hand, and the tables of docs/scale.md, which have the figures of the formulas.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CaptureUse,
  captureUse,
  ceilings,
  coldShare,
  computeDollarsOf,
  defaultQuotas,
  dollarsOf,
  executionSeconds,
  HEADROOM,
  isolationDollars,
  type Making,
  PAGE_SECONDS,
  raisedQuotas,
} from "../../../lib/tools/measure/cell-capacity.ts";

const { synchronous, asynchronous, cached } = captureUse;
const kinds = Object.values(captureUse);

const use: CaptureUse = {
  requests: 2,
  writeUnits: { Accounts: 0, Usage: 10, Activity: 20 },
  readUnits: 8,
  s3Puts: 1,
  s3Gets: 0,
  messages: 2,
  invocations: 4,
  renderings: 1,
};

test("capacity: the ceiling of each service is its quota divided by what a capture uses of it", () => {
  const found = Object.fromEntries(
    ceilings(use, defaultQuotas).map(({ engine, perSecond }) => [engine, Math.floor(perSecond)]),
  );
  expect(found).toEqual({
    "Lambda, concurrent executions": 113, // 700 executions, of which each capture holds twice 3 s, 0.012 s more, and twice 0.07 s
    "Lambda, executions of an event source": 333,
    "DynamoDB, write units of a table": 2_000,
    "S3, PUTs below a prefix": 3_500,
    "API Gateway, requests": 5_000,
    "SQS, messages in flight": 40_000,
  });
});

test("capacity: the lowest ceiling is first, and another one when its quota is raised", () => {
  const heavy = { ...use, writeUnits: { ...use.writeUnits, Activity: 100 } };
  expect([defaultQuotas, raisedQuotas].map((quotas) => ceilings(heavy, quotas)[0]?.engine)).toEqual([
    "Lambda, concurrent executions",
    "DynamoDB, write units of a table",
  ]);
});

test("capacity: a capture from the cache waits for no page, and costs a tenth of a synchronous one", () => {
  expect(ceilings(cached, defaultQuotas)[0]?.engine).toBe("DynamoDB, write units of a table");
  expect(dollarsOf(cached) / dollarsOf(synchronous)).toBeCloseTo(0.1, 1);
});

test("capacity: Lambda is the ceiling of captures that render a page, as the documentation says", () => {
  for (const quotas of [defaultQuotas, raisedQuotas]) {
    for (const kind of [synchronous, asynchronous]) {
      expect(ceilings(kind, quotas)[0]?.engine).toBe("Lambda, concurrent executions");
    }
  }
});

test("capacity: a separate renderer makes a million small captures at most a fifth dearer, and takes two executions", () => {
  const [embedded, separate] = (["embedded", "separate"] as const).map((renderer) => ({ renderer, pageSeconds: 0.2 }));
  expect(computeDollarsOf(synchronous, separate) / computeDollarsOf(synchronous, embedded)).toBeLessThan(1.2);
  expect(executionSeconds(synchronous, separate) / executionSeconds(synchronous, embedded)).toBeCloseTo(2, 0);
});

test("capacity: with tenant isolation, rare captures start an environment each, and frequent ones share it", () => {
  expect(coldShare(1 / 24)).toBeGreaterThan(0.99);
  expect(coldShare(6)).toBeCloseTo(Math.exp(-1)); // as long apart, on average, as an environment stays
  expect(coldShare(100)).toBeLessThan(1e-6);
  expect(isolationDollars(1)).toBeCloseTo(2 * 0.000167 + 3 * 2.5 * 0.0000166667, 6); // the fee, and a start of 3 s with its caller
});

describe("documentation: docs/scale.md", () => {
  const lines = readFileSync(join(import.meta.dirname, "../../../docs/scale.md"), "utf8").split("\n");
  type Row = readonly string[];
  /** Expects a row of the page for each of these, with the same cells. */
  const expectRows = (rows: readonly Row[]) => {
    const found = rows.map(([label]) => lines.find((line) => line.startsWith(`| ${label} |`)));
    expect(found).toEqual(rows.map((cells) => `| ${cells.join(" | ")} |`));
  };
  const count = (value: number) => Math.round(value).toLocaleString("en-US");
  const million = (dollars: number) => `$${(1_000_000 * dollars).toFixed(2)}`;

  test("has what a capture uses", () => {
    const row = (label: string, value: (use: CaptureUse) => number) => [label, ...kinds.map(value).map(String)];
    expectRows([
      row("Requests to API Gateway", ({ requests }) => requests),
      row("Executions of functions", ({ invocations, renderings }) => invocations - renderings),
      row("Executions of a separate renderer", ({ renderings }) => renderings),
      row("DynamoDB, write units of `Accounts`", ({ writeUnits }) => writeUnits.Accounts),
      row("DynamoDB, write units of `Usage`", ({ writeUnits }) => writeUnits.Usage),
      row("DynamoDB, write units of `Activity`", ({ writeUnits }) => writeUnits.Activity),
      row("DynamoDB, read units", ({ readUnits }) => readUnits),
      row("S3, PUTs", ({ s3Puts }) => s3Puts),
      row("S3, GETs", ({ s3Gets }) => s3Gets),
      row("SQS, messages", ({ messages }) => messages),
    ]);
  });

  test("has the ceilings, rounded down to two digits, the lowest bold", () => {
    const columns = [defaultQuotas, raisedQuotas].flatMap((quotas) => kinds.map((kind) => ceilings(kind, quotas)));
    const cell = (found: ReturnType<typeof ceilings>, engine: string) => {
      const perSecond = found.find((each) => each.engine === engine)?.perSecond;
      if (perSecond === undefined) return "";
      const unit = 10 ** (Math.floor(Math.log10(perSecond)) - 1);
      const rounded = count(Math.floor(perSecond / unit) * unit);
      return engine === found[0]?.engine ? `**${rounded}**` : rounded;
    };
    const engines = new Set(columns.flat().map(({ engine }) => engine));
    expectRows([...engines].map((engine) => [engine, ...columns.map((found) => cell(found, engine))]));
  });

  test("has what a rate needs and costs", () => {
    const row = (label: string, value: (use: CaptureUse) => number, text = count) => [
      label,
      ...[10, 100, 400, 1_000].map((rate) =>
        [synchronous, asynchronous].map((kind) => text(rate * value(kind))).join(", "),
      ),
    ];
    const dollarsOfADay = (kind: CaptureUse) => 24 * 60 * 60 * dollarsOf(kind);
    expectRows([
      row("Busy executions", executionSeconds),
      row(`Lambda's quota, with ${100 * HEADROOM} % to spare`, (kind) => executionSeconds(kind) / (1 - HEADROOM)),
      row("Requests to API Gateway a second", ({ requests }) => requests),
      row("Write units of `Usage` a second", ({ writeUnits }) => writeUnits.Usage),
      row("Write units of `Activity` a second", ({ writeUnits }) => writeUnits.Activity),
      row("PUTs to S3 a second", ({ s3Puts }) => s3Puts),
      row("Messages to SQS a second", ({ messages }) => messages),
      row("Dollars a day", dollarsOfADay, (dollars) => `$${count(dollars)}`),
    ]);
  });

  test("has what a separate renderer costs", () => {
    type Value = (use: CaptureUse, making: Making) => number;
    const row = (label: string, pageSeconds: number, value: Value, text: (value: number) => string) => [
      label,
      ...[synchronous, asynchronous].flatMap((kind) => {
        const embedded = value(kind, { renderer: "embedded", pageSeconds });
        const separate = value(kind, { renderer: "separate", pageSeconds });
        return [text(embedded), text(separate), `${Math.round(100 * (separate / embedded - 1))} %`];
      }),
    ];
    expectRows([
      row("Seconds of executions", PAGE_SECONDS, executionSeconds, (seconds) => seconds.toFixed(2)),
      row("A million, everything above", PAGE_SECONDS, dollarsOf, million),
      row("A million of 0.2 s, everything above", 0.2, dollarsOf, million),
      row("A million of 0.2 s, Lambda and API Gateway", 0.2, computeDollarsOf, million),
    ]);
  });

  test("has what tenant isolation costs", () => {
    const small = dollarsOf(synchronous, { renderer: "separate", pageSeconds: 0.2 });
    const row = (label: string, capturesAnHour: number) => {
      const share = coldShare(capturesAnHour);
      const fee = isolationDollars(share);
      return [label, `${(100 * share).toPrecision(2)} %`, million(fee), million(small + fee)];
    };
    expectRows([
      row("Once a day", 1 / 24),
      row("Once an hour", 1),
      row("Every ten minutes", 6),
      row("Every two minutes", 30),
      row("100 an hour", 100),
    ]);
  });
});
