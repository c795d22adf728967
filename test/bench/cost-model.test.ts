import { expect, test } from "vitest";
import { type Consumption, costOf, durationCost, invocationCost, total } from "../../lib/bench/cost-model.ts";

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
