// A line of the log as a person reads it.
import { expect, test } from "vitest";
import { formatLine, parseLine } from "../../../lib/service/logs/log-line.ts";

const TIME = "2026-11-30T09:08:07.123Z";
const shown = (line: object | string, source = "screen-capture-local-service-Screenshot81931DF7") =>
  formatLine(parseLine(source, typeof line === "string" ? line : JSON.stringify(line)));

test.each([
  [
    "a request",
    {
      timestamp: TIME,
      level: "INFO",
      requestId: "a-b",
      message: { event: "request", method: "GET", path: "/a b", status: 200, account_id: 17, request_id: 28 },
    },
    'request request_id=28 account_id=17 status=200 method=GET path="/a b"',
  ],
  [
    "a capture, by its metrics",
    {
      _aws: { Timestamp: Date.parse(TIME) },
      request_id: "28",
      account_id: "17",
      host: "a.example:8080",
      code: "TARGET_HTTP_ERROR",
      blame: "page",
      milliseconds: "812",
      navigate_ms: "28",
      service: "local",
      Captures: 1,
      CacheHits: 0,
      ColdStarts: 1,
      ComputeCost: 0.01,
    },
    "capture request_id=28 account_id=17 host=a.example:8080 code=TARGET_HTTP_ERROR blame=page milliseconds=812 navigate_ms=28 ColdStarts=1",
  ],
  [
    "other metrics",
    { _aws: { Timestamp: Date.parse(TIME) }, RendererStarts: 1, request_id: "28" },
    "metrics request_id=28 RendererStarts=1",
  ],
  [
    "an error with its cause",
    {
      timestamp: TIME,
      level: "ERROR",
      message: {
        event: "request failed",
        error: { name: "A", message: "no", stack: "A: no\n at b", cause: { name: "B", message: "why" } },
      },
    },
    'ERROR request failed error="A: no" caused by "B: why"',
  ],
  ["a text", `${TIME} AccessDenied: no`, "AccessDenied: no"],
  [
    "what would control a terminal",
    { timestamp: TIME, message: { event: "request", path: "\u001b[2J\n\u202e" } },
    'request path="\\u001b[2J\\u000a\\u202e"',
  ],
])("log line: %s", (_name, line, text) => {
  expect(shown(line)).toBe(`${TIME} Screenshot ${text}`);
});

test("log line: the function of a log group", () => {
  expect(shown({ timestamp: TIME, message: "x" }, "screen-capture-prod-service-RendererLog0A1B2C3D-xYz09")).toBe(
    `${TIME} Renderer x`,
  );
});
