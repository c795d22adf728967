// What the smoke test reads of the log of a capture.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localCaptureLog } from "../../../../lib/tools/operate/smoke/capture-log.ts";

test("smoke: finds the entries of a request, without the line that is being written", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "capture-log-"));
  const log = localCaptureLog(dataDir);
  mkdirSync(join(dataDir, "logs"));
  const write = (file: string, ...lines: string[]) => writeFileSync(join(dataDir, "logs", file), lines.join("\n"));
  const timestamp = new Date().toISOString();
  const [event, metrics] = [
    { timestamp, message: { request_id: 28 } },
    { _aws: { Timestamp: Date.now() }, request_id: "28" },
  ];
  write("Screenshot.log", JSON.stringify(event), "Chromium 28", JSON.stringify(metrics), '{"request_id":"28"');
  expect(await log.entries("28")).toEqual([event, metrics]);
});
