// The log of a capture: its times.
import { describe, expect, test } from "vitest";
import { createId } from "../../lib/contract/ids.ts";
import { createCaptureLog, dayOf } from "../../lib/usage/capture-log.ts";
import { aCaptureLog } from "../support/builders.ts";

describe("a log", () => {
  test("has the time of its id, with six digits after the second", () => {
    const { id: _, created_at: __, ...event } = aCaptureLog();
    const id = createId(Date.UTC(2026, 0, 31, 10, 20, 30, 45), 0.5);
    expect(createCaptureLog(id, event)).toEqual({ ...event, id, created_at: "2026-01-31T10:20:30.045000Z" });
  });

  test.each([
    [Date.UTC(2026, 0, 31, 23, 59, 59, 999), "2026-01-31"],
    [Date.UTC(2026, 1, 1), "2026-02-01"],
  ])("of the time %d is of the UTC day %s", (time, day) => {
    expect(dayOf(createId(time, 0.999))).toBe(day);
  });
});
