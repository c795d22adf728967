// Metrics of a capture: which part of its time is the service's.
import { expect, test } from "vitest";
import { serviceTime } from "../../../lib/service/captures/capture-metrics.ts";

const phases = { auth: 1, browser: 20, navigate: 300, settle: 4_000, capture: 50_000, encode: 600, store: 7_000 };

test("service time: is what no page decides, and no storage of a customer", () => {
  expect(serviceTime({ phases, isStoredByCustomer: false })).toBe(7_621);
  expect(serviceTime({ phases, isStoredByCustomer: true })).toBe(621);
  expect(serviceTime({ phases: {}, isStoredByCustomer: false })).toBe(0);
});
