// The canary and what `GET /health` says after it.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { LazyBrowser } from "../../../lib/engine/browser-launcher.ts";
import { runCanary, tryCanary } from "../../../lib/service/health/canary.ts";
import { findCanaryOutcome } from "../../../lib/service/health/canary-store.ts";
import { captureHealth, readCaptureHealth } from "../../../lib/service/health/health-state.ts";
import { embeddedRenderer } from "../../../lib/service/rendering/embedded-renderer.ts";
import { chromiumFiles, noLists, realBrowser } from "../../support/chromium.ts";
import { emittedMetrics } from "../../support/emitted-metrics.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let table: string;
beforeAll(async () => {
  running = await startTestResources();
  table = running.env.ACTIVITY_TABLE;
  await chromiumFiles();
});
afterAll(() => running.close());

function startBroken(): LazyBrowser {
  const launch = () => Promise.reject(new Error("no browser starts"));
  const first = launch();
  first.catch(() => undefined);
  return {
    first,
    launch,
    lists: noLists,
    egressRefusals: () => 0,
    kill: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

test("health: captures are unknown before the canary has run, ok after a capture, and failing without a browser", async () => {
  const now = Date.now();
  expect(await readCaptureHealth(table, now)).toEqual({ status: "unknown", checked_at: null });

  const right = await runCanary(embeddedRenderer(realBrowser), table);
  expect(right.is_right).toBe(true);
  expect(await readCaptureHealth(table, now + 60_000)).toEqual({ status: "ok", checked_at: right.checked_at });

  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const wrong = await runCanary(embeddedRenderer(startBroken), table);
  expect(wrong.is_right).toBe(false);
  expect(await readCaptureHealth(table, now + 120_000)).toEqual({ status: "failing", checked_at: wrong.checked_at });
});

test("canary: emits a metric that says whether its capture is right", async () => {
  vi.stubEnv("STAGE_NAME", "prod");
  const written: string[] = [];
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  await runCanary(embeddedRenderer(realBrowser), table);
  await runCanary(embeddedRenderer(startBroken), table);
  write.mockRestore();
  expect(emittedMetrics(written.join("")).map(({ fields: _, ...datum }) => datum)).toEqual(
    [1, 0].map((value) => ({
      namespace: "ScreenCapture",
      name: "CanarySuccess",
      dimensions: { service: "prod" },
      value,
      unit: "Count",
    })),
  );
});

test("canary: the check of a new version fails without a picture, and leaves the outcome and the metric of the old version", async () => {
  await runCanary(embeddedRenderer(realBrowser), table);
  const before = await findCanaryOutcome(table);
  const write = vi.spyOn(process.stdout, "write");
  await tryCanary(embeddedRenderer(realBrowser));
  await expect(tryCanary(embeddedRenderer(startBroken))).rejects.toThrow("could not be started");
  expect([write.mock.calls, await findCanaryOutcome(table)]).toEqual([[], before]);
});

test("health: a check of 16 minutes ago says nothing", () => {
  const checked_at = "2026-01-31T12:00:00.000Z";
  const after = (minutes: number) =>
    captureHealth({ is_right: true, checked_at }, Date.parse(checked_at) + minutes * 60_000).status;
  expect([after(15), after(17)]).toEqual(["ok", "unknown"]);
});
