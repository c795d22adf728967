// Metrics: one line in CloudWatch's embedded metric format for each event.
import { expect, test, vi } from "vitest";
import { emitMetrics } from "../../../lib/service/platform/metrics.ts";

/** The lines that `emit` writes to standard output. */
function linesOf(emit: () => void): unknown[] {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  try {
    emit();
  } finally {
    write.mockRestore();
  }
  return written.map((line) => JSON.parse(line));
}

test("metrics: an event is one line with its values, the stage as the only dimension, and its fields", () => {
  vi.stubEnv("STAGE_NAME", "prod");
  const lines = linesOf(() => emitMetrics({ Captures: 1, CaptureTime: 812 }, { format: "png", code: undefined }));
  expect(lines).toEqual([
    {
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: "ScreenCapture",
            Dimensions: [["service"]],
            Metrics: [
              { Name: "Captures", Unit: "Count" },
              { Name: "CaptureTime", Unit: "Milliseconds" },
            ],
          },
        ],
      },
      service: "prod",
      Captures: 1,
      CaptureTime: 812,
      format: "png",
    },
  ]);
});

test("metrics: an event has nothing of the one before", () => {
  vi.stubEnv("STAGE_NAME", "prod");
  const [, second] = linesOf(() => {
    emitMetrics({ Captures: 1 }, { code: "TARGET_BLOCKED" });
    emitMetrics({ WebhookDeliveries: 1 });
  });
  expect(second).toMatchObject({ WebhookDeliveries: 1 });
  expect(Object.keys(second as object)).toEqual(expect.not.arrayContaining(["Captures", "code"]));
});

test("metrics: without a stage there are none", () => {
  vi.stubEnv("STAGE_NAME", undefined);
  expect(linesOf(() => emitMetrics({ Captures: 1 }))).toEqual([]);
});
