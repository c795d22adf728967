// Metrics of a capture: which part of its time is the service's, and what it costs.
import { expect, onTestFinished, test, vi } from "vitest";
import type { CommittedResult } from "../../../lib/service/captures/capture-commit.ts";
import { computeCost, serviceTime } from "../../../lib/service/captures/capture-metrics.ts";

const phases = { auth: 1, browser: 20, navigate: 300, settle: 4_000, capture: 50_000, encode: 600, store: 7_000 };

test("service time: is what no page decides, and no storage of a customer", () => {
  expect(serviceTime({ phases, isStoredByCustomer: false })).toBe(7_621);
  expect(serviceTime({ phases, isStoredByCustomer: true })).toBe(621);
  expect(serviceTime({ phases: {}, isStoredByCustomer: false })).toBe(0);
});

test("compute cost: is that of the function and of the renderer it waits for, which nothing from the cache needs", () => {
  const result = (fromCache: boolean) => ({ fromCache }) as CommittedResult;
  const gigabytes = (fromCache: boolean) =>
    computeCost({ responseTimeMs: 1_000, result: result(fromCache) }) / 0.0000166667;
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
  expect(gigabytes(false)).toBeCloseTo(0.5);
  vi.stubEnv("RENDERER_MEMORY_MB", "2048");
  expect([gigabytes(false), gigabytes(true)]).toEqual([2.5, 0.5].map((expected) => expect.closeTo(expected)));
  const group = { id: 1, output: "page", size: 4 };
  expect(computeCost({ responseTimeMs: 1_000, result: result(false), group })).toBeCloseTo((2.5 / 4) * 0.0000166667, 8);
});
