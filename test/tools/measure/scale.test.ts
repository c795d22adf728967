// The load model in small: captures of a fast account are recorded, counted, billed, and listed once each.
import { afterAll, beforeAll, expect, test } from "vitest";
import { prices } from "../../../lib/tools/measure/prices.ts";
import { runScaleLoad } from "../../../lib/tools/measure/scale-load.ts";
import { slowTest } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const rates = [10_000 / 60, 5];
const load = { rates, seconds: 1.2, machineRate: 20, isJob: false };

slowTest(
  "scale: at 10,000 captures a minute of one account, none is lost, and none is billed twice",
  {
    timeout: 120_000,
  },
  async () => {
    const { offered, recorded, failed, wrong, throttled } = await runScaleLoad(
      { ...load, recording: "shards" },
      running.tables,
      1_000,
    );
    expect({ offered, recorded, failed, wrong, throttled }).toEqual({
      offered: 206,
      recorded: 206,
      failed: 0,
      wrong: 0,
      throttled: 0,
    });
  },
);

slowTest(
  "scale: at 10,000 asynchronous captures a minute, each ends once, and no slot is left",
  {
    timeout: 120_000,
  },
  async () => {
    const jobs = { rates: [10_000 / 60], seconds: 0.5, machineRate: 20, isJob: true };
    const { offered, failed, wrong } = await runScaleLoad({ ...jobs, recording: "shards" }, running.tables, 3_000);
    expect({ offered, failed, wrong }).toEqual({ offered: 83, failed: 0, wrong: 0 });
  },
);

test("scale: a small capture of an ordinary account writes for at most two thirds of 0.9 cents per 1,000, its log included", async () => {
  const result = await runScaleLoad({ ...load, rates: [1], recording: "shards" }, running.tables, 2_000);
  const logMonths = ((300 + 100) * 400) / (365 / 12);
  const dollars =
    1_000 *
    (result.unitsPerCapture * prices.dynamoWriteUnit + logMonths * prices.dynamoByteMonth + prices.dynamoReadUnit);
  expect(dollars).toBeLessThan(0.006);
});
