// Log entries through AWS's runtime client: the JSON lines that CloudWatch gets.
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually, serve } from "../support.ts";

const log = JSON.stringify(join(import.meta.dirname, "../../../../lib/service/platform/log.ts"));

test("logs: the runtime writes an entry as one line of JSON whose fields CloudWatch Logs Insights finds as message.…", async () => {
  const lines: string[] = [];
  const source = `import { logError, logInfo } from ${log};
    export const handler = async () => {
      logInfo("request", { request_id: 5, status: 200, path: "/a\\n\\u202e\\x9b" });
      logError("request failed", new TypeError("no", { cause: new Error("a socket") }), { request_id: 5 });
      return { statusCode: 200, body: "" };
    };`;
  const service = await serve(
    { functions: { Logs: { routes: ["GET /"], source, properties: { LoggingConfig: { LogFormat: "JSON" } } } } },
    { onLog: (name, line) => void (name.includes("Logs") && lines.push(line)) },
  );

  await fetch(service.baseUrl);
  await eventually(() => lines.length >= 2);

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      level: "INFO",
      requestId: expect.stringMatching(/^[\w-]{36}$/),
      message: { event: "request", request_id: 5, status: 200, path: "/a\n\u202e\x9b" },
    },
    {
      timestamp: expect.any(String),
      level: "ERROR",
      requestId: expect.any(String),
      message: {
        event: "request failed",
        request_id: 5,
        error: {
          name: "TypeError",
          message: "no",
          stack: expect.stringContaining("TypeError: no"),
          cause: { name: "Error", message: "a socket", stack: expect.any(String) },
        },
      },
    },
  ]);
  expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});
