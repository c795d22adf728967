// Log lines: one JSON object each.
import { afterEach, expect, test, vi } from "vitest";
import { logError, logInfo } from "../../lib/platform/log.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The lines that an action logs, parsed. */
function linesOf(action: () => void): unknown[] {
  const lines: unknown[] = [];
  const keep = (line: string) => void lines.push(JSON.parse(line));
  vi.spyOn(console, "log").mockImplementation(keep);
  vi.spyOn(console, "error").mockImplementation(keep);
  action();
  return lines;
}

test("log: a line has level, message and fields", () => {
  expect(linesOf(() => logInfo("request", { status: 200, path: "/a\nb" }))).toEqual([
    { level: "INFO", message: "request", status: 200, path: "/a\nb" },
  ]);
});

test("log: an error is logged with all its causes", () => {
  const error = new TypeError("outer", { cause: new Error("inner", { cause: "a socket" }) });
  expect(linesOf(() => logError("request failed", error, { request_id: 5 }))).toEqual([
    {
      level: "ERROR",
      message: "request failed",
      request_id: 5,
      error: {
        name: "TypeError",
        message: "outer",
        stack: expect.stringContaining("log.test.ts"),
        cause: { name: "Error", message: "inner", stack: expect.any(String), cause: "a socket" },
      },
    },
  ]);
});

test.each([
  [undefined, "undefined"],
  [null, "null"],
  ["text", "text"],
])("log: %j thrown as an error is logged", (thrown, shown) => {
  expect(linesOf(() => logError("failed", thrown))).toEqual([{ level: "ERROR", message: "failed", error: shown }]);
});
