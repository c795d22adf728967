// The load model of webhooks, small: what it must find in a day with dead receivers, and that it finds losses.
import { expect, test } from "vitest";
import { modelLoad } from "../../../lib/tools/measure/webhook-load.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";

const small = { perMinute: 20, receivers: 20, hours: 25, workers: 10 };

test("webhook load: with a quarter of the receivers dead, nothing is lost, and the others don't notice", () => {
  const well = modelLoad({ ...small, deadShare: 0, random: seededRandom(1) });
  const dying = modelLoad({ ...small, deadShare: 0.25, random: seededRandom(1) });
  expect(well).toMatchObject({ created: dying.created, lost: 0, kept: 0, pausedReceivers: 0, schedules: 0 });
  expect(dying).toMatchObject({ lost: 0, pausedReceivers: 5, throttled: 0 });
  expect(dying.kept / dying.created).toBeCloseTo(0.25, 1);
  expect(dying.p95Ms).toBe(well.p95Ms);
  expect(dying.maxInFlight).toBeLessThanOrEqual(small.workers);
  expect(dying.longestKeptHours).toBeLessThan(7 * 24);
  // Eight attempts at most, and few looks of those that wait for a receiver that times out.
  expect(dying.messages / dying.created).toBeLessThan(6);
}, 30_000);
