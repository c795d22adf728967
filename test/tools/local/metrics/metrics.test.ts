// The metrics of a running local service: counters of its functions and its API, and gauges of its sandboxes and queues.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMetrics } from "../../../../lib/tools/local/metrics/metrics.ts";
import { eventually, serve, temporaryFolder } from "../support.ts";

const TOKEN = "a-token-of-a-test-0123456789";

/** Prints the line of a capture, and then answers after the time in its query. */
const captures = `export const handler = async ({ queryStringParameters }) => {
  const line = { _aws: {}, Captures: 1, CaptureTime: 1500, format: "png", account_id: "17", host: "secret.example" };
  process.stdout.write(JSON.stringify(line) + "\\n"); // as Powertools does, without the runtime's prefix
  await new Promise((resolve) => setTimeout(resolve, Number(queryStringParameters?.ms ?? 0)));
  return { statusCode: 200, body: "x" };
};`;

test("metrics: a running service counts captures and responses, and says what its sandboxes and queues hold", async () => {
  const metrics = createMetrics(
    { host: "127.0.0.1", port: 0, token: TOKEN },
    { formats: ["png"], codes: [], phases: [] },
  );
  onTestFinished(() => metrics.close());
  const url = await metrics.listen();
  const headers = { Authorization: `Bearer ${TOKEN}` };
  expect((await fetch(url, { headers })).status).toBe(503);
  const read = async () => (await fetch(url, { headers })).text();

  const service = await serve(
    {
      functions: {
        CapturesABCDEF01: {
          source: captures,
          routes: ["GET /capture"],
          properties: { ReservedConcurrentExecutions: 1 },
        },
      },
      resources: { QueuesJobs0123ABCD: { Type: "AWS::SQS::Queue", Properties: {} } },
    },
    { onLog: metrics.count },
  );
  const dataDir = await temporaryFolder();
  for (const browser of ["one/profile-1-2-a", "one/frames-1-2-b", "other/profile-3-4-c", "third"]) {
    mkdirSync(join(dataDir, "run", browser), { recursive: true });
  }
  metrics.observe({
    service,
    dataDir,
    chromiumBranched: "2026-08-15",
    filterLists: () => [
      { purpose: "ads", date: "2026-03-19" },
      { purpose: "ads", date: "2026-03-20" },
    ],
  });

  expect((await fetch(`${service.baseUrl}/capture`)).status).toBe(200);
  expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(403); // no route has it
  await eventually(async () => {
    const text = await read();
    return text.includes('status_class="4xx"} 1') && /_duration_seconds_count\{format="png"\} 1$/m.test(text);
  });
  const idle = await read();
  expect(idle.split("\n")).toEqual(
    expect.arrayContaining([
      'screen_capture_captures_total{format="png",code="none",blame="none"} 1',
      'screen_capture_capture_duration_seconds_sum{format="png"} 1.5',
      'screen_capture_requests_total{status_class="2xx"} 1',
      'screen_capture_queue_messages{queue="Jobs",state="visible"} 0',
      'screen_capture_sandboxes{function="Captures",state="idle"} 1',
      'screen_capture_sandboxes{function="Captures",state="busy"} 0',
      "screen_capture_browsers 2",
      `screen_capture_chromium_branched_timestamp_seconds ${Date.parse("2026-08-15") / 1000}`,
      `screen_capture_filter_lists_updated_timestamp_seconds{purpose="ads"} ${Date.parse("2026-03-20") / 1000}`,
    ]),
  );
  const accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1";
  const open = await fetch(url, { headers: { ...headers, accept } }); // as Prometheus sends it
  expect(open.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  const lines = (await open.text()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# TYPE screen_capture_captures counter",
      'screen_capture_captures_total{format="png",code="none",blame="none"} 1',
    ]),
  );
  expect(lines.filter(Boolean).at(-1)).toBe("# EOF");
  expect(idle).not.toMatch(/secret\.example|17"/);

  const slow = Promise.all([1, 2].map(() => fetch(`${service.baseUrl}/capture?ms=1500`)));
  await eventually(async () => {
    const busy = await read();
    return (
      busy.includes('screen_capture_sandboxes{function="Captures",state="busy"} 1') &&
      busy.includes('screen_capture_waiting_invocations{function="Captures"} 1')
    );
  });
  await slow;
  await eventually(async () =>
    (await read()).includes('screen_capture_captures_total{format="png",code="none",blame="none"} 3'),
  );
});
