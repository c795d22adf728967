// The canary: captures a page of its own with the real browser, so that a failure shows before a customer sees it.

import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { INTERNAL_ACCOUNT_ID } from "../account/internal-account.ts";
import { logError } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { type CreateRenderer, renderOne } from "../rendering/renderer.ts";
import { type CanaryOutcome, storeCanaryOutcome } from "./canary-store.ts";

const SIZE = 64;

const options = parseCaptureOptions({
  html: "<body style='background: #0a7'><script>document.body.append('painted')</script>",
  viewport_width: SIZE,
  viewport_height: SIZE,
  timeout: 20,
});

/** What invokes the canary: its schedule, or the check of a new version. */
export interface CanaryEvent {
  /** Whether to capture only, and to fail if the picture is wrong. */
  readonly is_check?: boolean;
}

/** Captures the canary's page, emits whether that worked and stores it for `GET /health`. Never rejects for a bad capture. */
export async function runCanary(createRenderer: CreateRenderer, table: string): Promise<CanaryOutcome> {
  const startedAt = performance.now();
  const isRight = await captureCanary(createRenderer).catch((error) => {
    logError("canary failed", error);
    return false;
  });
  const outcome = { is_right: isRight, checked_at: new Date().toISOString() };
  emitMetrics({ CanarySuccess: isRight ? 1 : 0 }, { milliseconds: Math.round(performance.now() - startedAt) });
  await storeCanaryOutcome(table, outcome);
  return outcome;
}

/** Captures the canary's page without saying so anywhere. Rejects when there is no picture, or a wrong one. */
export async function tryCanary(createRenderer: CreateRenderer): Promise<void> {
  if (!(await captureCanary(createRenderer))) throw new Error("The picture of the canary's page is wrong.");
}

/** Captures the canary's page. Resolves to whether the picture is right; rejects when there is none. */
export async function captureCanary(createRenderer: CreateRenderer): Promise<boolean> {
  await using renderer = createRenderer();
  const { body } = await renderOne(
    renderer,
    { options: engineOptions(options), thumbnail: false },
    {
      requestId: 0, // it has no log
      tenantId: String(INTERNAL_ACCOUNT_ID),
      startedAt: performance.now(),
      clock: new PhaseClock(),
    },
  );
  return isPng(body, SIZE);
}

const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";

/** A PNG states its width at byte 16. https://www.w3.org/TR/png-3/#11IHDR */
export function isPng(bytes: Buffer, width: number): boolean {
  return bytes.length > 24 && bytes.toString("latin1", 0, 8) === PNG_SIGNATURE && bytes.readUInt32BE(16) === width;
}
