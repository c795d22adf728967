// What the smoke test reads of the log of a capture.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { captureQuery, localCaptureLog } from "../../../../lib/tools/operate/smoke/capture-log.ts";

test("smoke: finds the entries of a request in the files of this run, without the line that is being written", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "capture-log-"));
  const log = localCaptureLog(dataDir);
  expect(await log.entries("28")).toEqual([]);

  mkdirSync(join(dataDir, "logs"));
  const write = (file: string, ...lines: string[]) => writeFileSync(join(dataDir, "logs", file), lines.join("\n"));
  write("Screenshot.log", '{"message":{"request_id":28}}', "Chromium 28", '{"request_id":"28"}', '{"request_id":"28"');
  write("Screenshot.previous.log", '{"message":{"request_id":28}}', "");
  expect(await log.entries("28")).toEqual([{ message: { request_id: 28 } }, { request_id: "28" }]);
});

test("smoke: asks Logs Insights for events and for metrics of a request", () => {
  expect(captureQuery("28")).toBe(
    'fields @message | filter message.request_id = 28 or request_id = "28" | sort @timestamp asc',
  );
  expect(() => captureQuery('28" or 1 = 1')).toThrow("is no id of a request");
});
