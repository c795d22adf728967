// Counting metrics from the log lines of functions and of the API.
import { expect, test, vi } from "vitest";
import { emitMetrics } from "../../../../lib/service/platform/metrics.ts";
import { createMetricCounts, type MetricCounts } from "../../../../lib/tools/local/metrics/metric-counts.ts";

const known = { formats: ["png", "pdf"], codes: ["PAGE_CRASHED"], phases: ["auth", "capture"] };

/** The series of a metric that are not zero, by their labels. */
async function seriesOf(counts: MetricCounts, name: string): Promise<Record<string, number>> {
  const lines = (await counts.text())
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const parsed = lines.map((line) => {
    const [, labels = "", value] = /^[^{ ]+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return [labels, Number(value)] as const;
  });
  return Object.fromEntries(parsed.filter(([, value]) => value !== 0));
}

/** The line that a function prints for an event. */
function lineOf(...event: Parameters<typeof emitMetrics>): string {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  vi.stubEnv("STAGE_NAME", "local");
  try {
    emitMetrics(...event);
  } finally {
    write.mockRestore();
  }
  return written.join("").trim();
}

function countsOf(...lines: string[]): MetricCounts {
  const counts = createMetricCounts(known);
  for (const line of lines) counts.count("Screenshot", line);
  return counts;
}

test("metric counts: a rendered capture is counted with its format, durations, phases, and bytes", async () => {
  const counts = countsOf(
    lineOf(
      {
        Captures: 1,
        CaptureFaults: 0,
        CaptureRejections: 0,
        CacheHits: 0,
        ColdStarts: 1,
        CaptureTime: 812,
        ServiceTime: 90,
      },
      { format: "png", auth_ms: 12, capture_ms: 700, bytes: 2000 },
    ),
  );
  const series = (name: string) => seriesOf(counts, `screen_capture_${name}`);
  expect(await series("captures_total")).toEqual({ 'format="png",code="none",blame="none"': 1 });
  expect(await series("capture_duration_seconds_sum")).toEqual({ 'format="png"': 0.812 });
  expect(await series("service_duration_seconds_sum")).toEqual({ "": 0.09 });
  expect(await series("phase_duration_seconds_sum")).toEqual({ 'phase="auth"': 0.012, 'phase="capture"': 0.7 });
  expect(await series("result_bytes_total")).toEqual({ 'format="png"': 2000 });
  expect(await series("cold_starts_total")).toEqual({ "": 1 });
  expect(await series("cache_hits_total")).toEqual({});
});

test("metric counts: a failed capture has its code and blame, and no duration or bytes", async () => {
  const failed = lineOf(
    { Captures: 1, CaptureFaults: 0, CaptureRejections: 1 },
    { format: "pdf", code: "PAGE_CRASHED", blame: "target" },
  );
  const counts = countsOf(failed, failed);
  const labels = 'format="pdf",code="PAGE_CRASHED",blame="target"';
  expect(await seriesOf(counts, "screen_capture_captures_total")).toEqual({ [labels]: 2 });
  expect(await seriesOf(counts, "screen_capture_capture_duration_seconds_count")).toEqual({});
  expect(await seriesOf(counts, "screen_capture_result_bytes_total")).toEqual({});
});

test("metric counts: formats, codes, and blames that are not known become one value, and no other field becomes a label", async () => {
  const lines = Array.from({ length: 50 }, (_, index) =>
    lineOf(
      { Captures: 1 },
      {
        format: `f${index}`,
        code: `C${index}`,
        blame: `b${index}`,
        account_id: index,
        host: `h${index}.example`,
        path: "/p",
      },
    ),
  );
  const counts = countsOf(...lines);
  expect(await seriesOf(counts, "screen_capture_captures_total")).toEqual({
    'format="other",code="other",blame="other"': 50,
  });
  expect(await counts.text()).not.toMatch(/example|account|host=|path=/);
});

test("metric counts: an event without labels adds its value", async () => {
  const counts = countsOf(lineOf({ EgressRefusals: 3 }), lineOf({ EgressRefusals: 2 }), lineOf({ CanarySuccess: 1 }));
  expect(await seriesOf(counts, "screen_capture_egress_refusals_total")).toEqual({ "": 5 });
});

test("metric counts: responses of the API are counted by the class of their status", async () => {
  const counts = createMetricCounts(known);
  for (const line of [
    "GET /health 200 3 ms",
    "GET /a 204 1 ms",
    "POST /api/v1/screenshot 422 12 ms",
    "GET /b aborted 9 ms",
    "aaaa-bbbb Error: 500 7",
  ])
    counts.count("api", line);
  counts.count("Screenshot", "GET /health 200 3 ms");
  expect(await seriesOf(counts, "screen_capture_requests_total")).toEqual({
    'status_class="2xx"': 2,
    'status_class="4xx"': 1,
    'status_class="aborted"': 1,
  });
});

test("metric counts: each format, and each class of a status, has a series from the start", async () => {
  const text = await createMetricCounts(known).text();
  expect(text).toContain('screen_capture_captures_total{format="pdf",code="none",blame="none"} 0');
  expect(text).toContain('screen_capture_requests_total{status_class="5xx"} 0');
});

test.each([
  ["cut", '{"_aws":{"Timestamp":1'],
  ["with a negative value", '{"_aws":{},"EgressRefusals":-1}'],
  ["with a text as value", '{"_aws":{},"EgressRefusals":"many"}'],
  ["with a text as phase", '{"_aws":{},"Captures":0,"auth_ms":"x","bytes":"y"}'],
  ["with an object as label", '{"_aws":{},"Captures":0,"format":{}}'],
  ["of another kind", "null"],
  ["that names it within a text", '{"message":"{\\"_aws\\":{},\\"EgressRefusals\\":1}"}'],
])("metric counts: a line %s counts nothing and throws nothing", async (_, line) => {
  const counts = countsOf(line);
  expect(await seriesOf(counts, "screen_capture_egress_refusals_total")).toEqual({});
  expect(await seriesOf(counts, "screen_capture_phase_duration_seconds_count")).toEqual({});
  expect(await seriesOf(counts, "screen_capture_captures_total")).toEqual({});
});

test("metric counts: a gauge has the values of its last reading only", async () => {
  const counts = createMetricCounts(known);
  const name = "screen_capture_waiting_invocations";
  counts.setGauge(name, [{ labels: { function: "Gone" }, value: 4 }]);
  counts.setGauge(name, [{ labels: { function: "Here" }, value: 2 }]);
  expect(await seriesOf(counts, name)).toEqual({ 'function="Here"': 2 });
});
