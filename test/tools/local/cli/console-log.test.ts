// Which lines of the log a person sees who runs the service.
import { expect, test } from "vitest";
import { consoleLine } from "../../../../lib/tools/local/cli/console-log.ts";

const request = {
  event: "request",
  request_id: 247177643095070,
  account_id: 247177643095000,
  method: "GET",
  path: "/api/v1/screenshot",
  status: 200,
  milliseconds: 812,
};
const line = (message: object) =>
  JSON.stringify({ timestamp: "2026-11-30T09:08:07.123Z", level: "INFO", requestId: "a-b-c", message });

test.each([
  [
    "a request",
    request,
    "09:08:07  GET  /api/v1/screenshot  200  812 ms  account 247177643095000  request 247177643095070",
  ],
  [
    "a request that fails, without an account",
    { ...request, account_id: undefined, status: 401, code: "UNAUTHORIZED" },
    "09:08:07  GET  /api/v1/screenshot  401  812 ms  UNAUTHORIZED  request 247177643095070",
  ],
  [
    "a path with characters that control a terminal, escaped",
    { ...request, path: "/\u001b[2J" },
    "09:08:07  GET  /\\u001b[2J  200  812 ms  account 247177643095000  request 247177643095070",
  ],
])("console log: shows %s", (_what, message, text) => {
  expect(consoleLine("Screenshot", line(message))).toEqual({ text, isProblem: false });
});

test.each([
  ["an error", "Render", '{"level":"ERROR","message":{"event":"request failed"}}'],
  ["a call that a role does not allow", "iam", "AccessDenied: Render may not s3:PutObject"],
  ["a function that ran out of time", "Render", "Task timed out after 30.00 seconds"],
])("console log: shows %s as a problem", (_what, source, text) => {
  expect(consoleLine(source, text)).toEqual({ text: `[${source}] ${text}`, isProblem: true });
});

test.each([
  ["metrics", line({ event: "capture" })],
  ["a text that only looks like a request", 'a page wrote "event":"request"'],
  ["a line of an engine", "Dynoxide listening on http://127.0.0.1:1"],
])("console log: leaves %s to the log files", (_what, text) => {
  expect(consoleLine("Screenshot", text)).toBeUndefined();
});
