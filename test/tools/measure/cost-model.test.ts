import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stageConfig } from "../../../lib/infra/stages.ts";
import {
  type Consumption,
  costOf,
  durationCost,
  invocationCost,
  total,
} from "../../../lib/tools/measure/cost-model.ts";

const used = (parts: Partial<Consumption> = {}): Consumption => ({
  invocations: [],
  answers: [],
  readUnits: 0,
  writeUnits: 0,
  s3Puts: 0,
  s3Gets: 0,
  sqsRequests: 0,
  logBytes: 0,
  storedByteMonths: 0,
  keptByteMonths: 0,
  furtherBytesOut: 0,
  ...parts,
});

const MILLION = 1_000_000;
const GIGABYTE = 2 ** 30;
const oneSecond = { milliseconds: 1_000, memoryMegabytes: 1_024, storageMegabytes: 512 };

test("cost model: no usage costs nothing", () => {
  expect(total(costOf(used()))).toBe(0);
});

test("cost model: a million seconds of 1 GB cost $16.67, and their requests 20 cents", () => {
  expect(MILLION * durationCost(oneSecond)).toBeCloseTo(16.6667, 4);
  expect(MILLION * invocationCost(oneSecond)).toBeCloseTo(16.8667, 4);
});

test("cost model: durations are rounded up to a millisecond", () => {
  expect(invocationCost({ ...oneSecond, milliseconds: 200.1 })).toBe(
    invocationCost({ ...oneSecond, milliseconds: 201 }),
  );
});

test("cost model: ephemeral storage is billed above 512 MB", () => {
  const large = { ...oneSecond, storageMegabytes: 2_048 };
  expect(MILLION * (durationCost(large) - durationCost(oneSecond))).toBeCloseTo(1.5 * 0.0309, 6);
  expect(durationCost({ ...oneSecond, storageMegabytes: 256 })).toBe(durationCost(oneSecond));
});

test.each([
  [{ answers: [1] }, "API Gateway", 3.5],
  [{ readUnits: 1 }, "DynamoDB", 0.125],
  [{ writeUnits: 1 }, "DynamoDB", 0.625],
  [{ s3Puts: 1 }, "S3", 5],
  [{ s3Gets: 1 }, "S3", 0.4],
  [{ sqsRequests: 1 }, "SQS", 0.4],
] as const)("a million of %o cost what the list of %s says: $%d", (parts, component, price) => {
  expect(MILLION * costOf(used(parts))[component]).toBeCloseTo(price, 6);
});

test("cost model: bytes are billed when stored, logged and sent", () => {
  const cost = costOf(
    used({ storedByteMonths: GIGABYTE, keptByteMonths: GIGABYTE, logBytes: GIGABYTE, furtherBytesOut: GIGABYTE }),
  );
  expect(cost).toMatchObject({ S3: 0.023, DynamoDB: 0.25, logs: 0.5, transfer: 0.09 });
});

test("cost model: a response of 25 MB is three API Gateway requests, and 19 MB of billed streaming", () => {
  const cost = costOf(used({ answers: [25 * 2 ** 20] }));
  expect(MILLION * cost["API Gateway"]).toBeCloseTo(3 * 3.5, 6);
  expect(cost.Lambda).toBeCloseTo((19 / 1024) * 0.008, 9);
});

const page = (name: string) => readFileSync(join(import.meta.dirname, "../../..", name), "utf8");

/** Dollars in the cells of the row of a table in a page. */
function dollarsIn(text: string, row: string): string | undefined {
  const line = text.split("\n").find((each) => each.startsWith("|") && each.replaceAll("*", "").includes(`| ${row}`));
  return /\$?(\d+\.\d\d)\*{0,2} \|/.exec(line?.replace(/ 0\.\d{3}(?= \|)/g, "") ?? "")?.[1];
}

test("documentation: a page of three seconds costs what the price list says", () => {
  const { browserMemoryMb } = stageConfig("prod");
  const milliseconds = 3_000 + 2_000 / 100; // with a cold start in a hundred, as in the benchmark
  const realPage = (bytes: number) =>
    total(
      costOf(
        used({
          invocations: [{ milliseconds, memoryMegabytes: browserMemoryMb, storageMegabytes: 2_048 }],
          answers: [bytes],
          readUnits: 3,
          writeUnits: 7,
          keptByteMonths: (400 * 12 * 400) / 365,
          logBytes: 2_000,
        }),
      ),
    );
  const operations = page("docs/operations.md");
  expect(dollarsIn(operations, "A real page, which takes 3 s")).toBe((1_000 * realPage(50_000)).toFixed(2));
  expect(dollarsIn(operations, "The same, 300 KB of PNG")).toBe((1_000 * realPage(300_000)).toFixed(2));
});

test("documentation: the README, the operations, and the benchmarks name the same costs", () => {
  const [readme, operations, benchmarks] = [page("README.md"), page("docs/operations.md"), page("docs/benchmarks.md")];
  const rows = {
    "a small page": [
      [readme, "Small pages"],
      [operations, "A small page"],
      [benchmarks, "Small PNG | 0.0"],
    ],
    "a real page": [
      [readme, "Pages that take 3 s"],
      [operations, "A real page"],
    ],
    "a full page": [
      [readme, "Full pages of 10,000 px"],
      [operations, "A full page of 10,000 px"],
      [benchmarks, "Full page, 10,000 px, PNG | 0.0"],
    ],
    "a video": [
      [operations, "A video of 5 s"],
      [benchmarks, "5 s of 720p30, `mp4` | 0."],
    ],
  } as const;
  for (const [name, locations] of Object.entries(rows)) {
    const [first, ...others] = locations.map(([text, row]) => dollarsIn(text, row));
    expect([name, first]).toEqual([name, expect.stringMatching(/^\d/)]);
    expect(others).toEqual(others.map(() => first));
  }
});
