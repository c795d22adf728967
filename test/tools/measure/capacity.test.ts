// The model of a cell: its ceilings by hand, and the tables of docs/scale.md, which have its figures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capacityTables } from "../../../lib/tools/measure/capacity/capacity-tables.ts";
import type { CaptureUse } from "../../../lib/tools/measure/capacity/capture-use.ts";
import {
  ceilings,
  computeDollarsOf,
  defaultQuotas,
  dollarsOf,
  executionSeconds,
  raisedQuotas,
} from "../../../lib/tools/measure/capacity/cell-model.ts";
import counted from "../../../lib/tools/measure/capacity/counted-use.json" with { type: "json" };
import { readTable, replaceTables } from "../../../lib/tools/measure/capacity/scale-document.ts";
import { coldShare, isolationDollars } from "../../../lib/tools/measure/capacity/tenant-isolation.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/scale.md"), "utf8");

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

test("capacity: each engine ends at its quota divided by what a capture uses of it", () => {
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

test("capacity: the lowest ceiling is first, and moves when its quota is raised", () => {
  const { s3Puts: _, ...rest } = use;
  const heavy = { ...rest, s3Puts: 1, writeUnits: { ...use.writeUnits, Activity: 100 } };
  expect([defaultQuotas, raisedQuotas].map((quotas) => ceilings(heavy, quotas)[0]?.engine)).toEqual([
    "Lambda, concurrent executions",
    "DynamoDB, write units of a table",
  ]);
});

test("capacity: a capture from the cache waits for no page, and costs a tenth of a synchronous one", () => {
  const { synchronous, cached } = counted;
  expect(ceilings(cached, defaultQuotas)[0]?.engine).toBe("DynamoDB, write units of a table");
  expect(dollarsOf(cached) / dollarsOf(synchronous)).toBeCloseTo(0.1, 1);
});

test.each(Object.entries(capacityTables(counted)))(
  "capacity: docs/scale.md has the table “%s” of the counts",
  (name, table) => {
    expect(readTable(page, name)).toBe(table);
  },
);

test("capacity: a separate renderer makes a million small captures at most a fifth dearer, and takes two executions", () => {
  const [embedded, separate] = (["embedded", "separate"] as const).map((renderer) => ({ renderer, pageSeconds: 0.2 }));
  const { synchronous } = counted;
  expect(computeDollarsOf(synchronous, separate) / computeDollarsOf(synchronous, embedded)).toBeLessThan(1.2);
  expect(executionSeconds(synchronous, separate) / executionSeconds(synchronous, embedded)).toBeCloseTo(2, 0);
});

test("capacity: with tenant isolation, rare captures start an environment each, and frequent ones share it", () => {
  expect(coldShare(1 / 24)).toBeGreaterThan(0.99);
  expect(coldShare(6)).toBeCloseTo(Math.exp(-1)); // as long apart, on average, as an environment stays
  expect(coldShare(100)).toBeLessThan(1e-6);
  expect(isolationDollars(1)).toBeCloseTo(2 * 0.000167 + 3 * 2.5 * 0.0000166667, 6); // the fee, and a start of 3 s with its caller
});

test("capacity: new counts replace the tables of the page, and nothing else", () => {
  const more = { ...counted, cached: { ...counted.cached, readUnits: 99 } };
  const replaced = replaceTables(page, capacityTables(more));
  expect(readTable(replaced, "use")).toContain("| 99 |");
  expect(replaceTables(replaced, capacityTables(counted))).toBe(page);
  expect(() => readTable("# Scale", "use")).toThrow("has no table use");
});

test("capacity: Lambda is the ceiling of captures that render a page, as the documentation says", () => {
  for (const quotas of [defaultQuotas, raisedQuotas]) {
    for (const kind of [counted.synchronous, counted.asynchronous]) {
      expect(ceilings(kind, quotas)[0]?.engine).toBe("Lambda, concurrent executions");
    }
  }
});
