// Capture log entries: their timestamps.
import { describe, expect, test } from "vitest";
import { createId } from "../../../lib/service/platform/ids.ts";
import { createCaptureLog, logTime } from "../../../lib/service/usage/capture-log.ts";
import { aCaptureLog } from "../../support/builders.ts";

describe("capture log: an entry", () => {
  test("has the time of its id, with microseconds", () => {
    const { id: _, created_at: __, ...event } = aCaptureLog();
    const id = createId(Date.UTC(2026, 0, 31, 10, 20, 30, 45), 0.5);
    expect(createCaptureLog(id, event)).toEqual({ ...event, id, created_at: "2026-01-31T10:20:30.045000Z" });
  });

  test.each([
    [
      Date.UTC(2026, 0, 31, 23, 59, 59, 999),
      { month: "2026-01", date: "2026-01-31", day: "31", hour: "23", minute: "59" },
    ],
    [Date.UTC(2026, 1, 1), { month: "2026-02", date: "2026-02-01", day: "01", hour: "00", minute: "00" }],
    [Date.UTC(2026, 1, 1, 9, 5), { month: "2026-02", date: "2026-02-01", day: "01", hour: "09", minute: "05" }],
  ])("of the time %d is in its UTC month, day, hour and minute", (time, moment) => {
    expect(logTime(createId(time, 0.999))).toEqual(moment);
  });
});
