// Log entries: one object each, which the runtime writes as JSON.
import { afterEach, expect, test, vi } from "vitest";
import { logError, logInfo } from "../../../lib/service/platform/log.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The entries that an action logs, as they are once the runtime has written them and a program has read them. */
function linesOf(action: () => void): unknown[] {
  const lines: unknown[] = [];
  const keep = (entry: unknown) => void lines.push(JSON.parse(JSON.stringify(entry)));
  vi.spyOn(console, "log").mockImplementation(keep);
  vi.spyOn(console, "error").mockImplementation(keep);
  action();
  return lines;
}

test("log: an entry has the event and its fields", () => {
  expect(linesOf(() => logInfo("request", { status: 200, path: "/a\nb" }))).toEqual([
    { event: "request", status: 200, path: "/a\nb" },
  ]);
});

test("log: an error is logged with all its causes", () => {
  const error = new TypeError("outer", { cause: new Error("inner", { cause: "a socket" }) });
  expect(linesOf(() => logError("request failed", error, { request_id: 5 }))).toEqual([
    {
      event: "request failed",
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
  expect(linesOf(() => logError("failed", thrown))).toEqual([{ event: "failed", error: shown }]);
});
