// The metrics of the running functions, as CloudWatch would find them in the lines that AWS's runtime client writes.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, inject, test, vi } from "vitest";
import { METRIC_NAMESPACE, metricNames, STAGE_DIMENSION } from "../../../lib/service/platform/metrics.ts";
import { type Client, openClient } from "../../support/client.ts";
import { type Datum, emittedMetricsIn } from "../../support/emitted-metrics.ts";

const { site, receiver, dataDir } = inject("service");

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

/** The values that one request emitted; its webhook names it as a job. */
const valuesOf = (data: readonly Datum[], id: unknown): Record<string, number> =>
  Object.fromEntries(
    data
      .filter(({ fields }) => fields["request_id"] === String(id) || fields["job_id"] === String(id))
      .map(({ name, value }) => [name, value]),
  );

const box = { url: `${site}/box`, viewport_width: "100", viewport_height: "100" };

test("metrics: a capture, its cached result, a page that fails, and refused requests of a page are counted", async () => {
  const cached = { ...box, cache_ttl: "600", cache_key: randomUUID() };
  const responses = [
    await client.capture(cached),
    await client.capture(cached),
    await client.capture({ ...box, url: `${site}/missing` }),
    await client.capture({ html: "<img src='http://127.0.0.1:8443/a'><img src='https://127.0.0.1:8443/b'>" }),
  ];
  const ids = responses.map(({ headers }) => headers.get("x-request-id"));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 422, 200]);

  const values = await vi.waitUntil(() => {
    const data = emittedMetricsIn(dataDir);
    const found = ids.map((id) => valuesOf(data, id));
    return found.every((each) => each["Captures"] !== undefined) && found;
  }, 15_000);
  const times = { CaptureTime: expect.any(Number), ServiceTime: expect.any(Number) };
  const rendered = { ...times, ComputeCost: expect.any(Number), ColdStarts: expect.any(Number) };
  const none = { CaptureFaults: 0, CaptureRejections: 0, CacheHits: 0 };
  const { CaptureTime: _, ServiceTime: __, ...notRendered } = rendered;
  expect(values).toEqual([
    { ...rendered, ...none, Captures: 1 },
    { ...notRendered, ...none, Captures: 1, CacheHits: 1 },
    { ...notRendered, ...none, Captures: 1, CaptureRejections: 1 },
    { ...rendered, ...none, Captures: 1, EgressRefusals: 2 },
  ]);
});

/** A page of 3,000 nested shadow roots, with which Chromium exhausts its stack. */
const crashing = `<body><script>let node = document.body;
  for (let n = 0; n < 3000; n++) node = node.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
</script>`;

test("metrics: a page that times out or crashes the browser is no fault of the service, and no server error of it", async () => {
  const [slow, crashed] = await Promise.all([
    client.capture({ url: `${site}/never-answers`, timeout: "1" }),
    client.capture({ html: crashing }),
  ]);
  expect([slow.status, crashed.status]).toEqual([504, 422]);
  const ids = [slow, crashed].map(({ headers }) => headers.get("x-request-id"));
  const values = await vi.waitUntil(() => {
    const data = emittedMetricsIn(dataDir);
    const found = ids.map((id) => valuesOf(data, id));
    return found.every((each) => each["Captures"] !== undefined) && found;
  }, 15_000);
  const rejected = { Captures: 1, CaptureFaults: 0, CaptureRejections: 1 };
  expect(values).toMatchObject([{ ...rejected, ExcusedServerErrors: 1 }, rejected]);
  expect(values[1]).not.toHaveProperty("ExcusedServerErrors");
});

test("metrics: a job whose page crashes the browser is not tried again, and no fault of the service", async () => {
  const { request_id: id } = await (await client.capture({ html: crashing, async: "true" })).json();
  const values = await vi.waitUntil(() => {
    const found = emittedMetricsIn(dataDir).filter(({ fields }) => fields["request_id"] === String(id));
    return found.length > 0 && found;
  }, 30_000);
  const faults = values.filter(({ name }) => name === "CaptureFaults");
  expect(faults).toMatchObject([{ value: 0, fields: { code: "PAGE_CRASHED", blame: "target" } }]);
});

test("metrics: a webhook that the receiver refuses is a delivery and a failure", async () => {
  const webhook_url = `${receiver}/to/${randomUUID()}?answers=410`;
  const accepted = await (await client.capture({ ...box, async: "true", webhook_url })).json();
  const values = await vi.waitUntil(() => {
    const found = valuesOf(emittedMetricsIn(dataDir), accepted.request_id);
    return found["WebhookDeliveries"] !== undefined && found;
  }, 30_000);
  expect(values).toMatchObject({ Captures: 1, WebhookDeliveries: 1, WebhookFailures: 1 });
});

/** The schedule of the canary isn't played in tests, a receiver pauses after a day, and the others are faults of the machine, of DynamoDB, or of Scheduler. */
const elsewhere = [
  "CanarySuccess",
  "ApiCanarySuccess",
  "RendererThrottles",
  "TaintedSandboxes",
  "MissingProtections",
  "PausedReceivers",
  "ThrottledCounters",
  "WebhooksNotScheduled",
];

test("metrics: each has the namespace and the dimension by which alarms and the dashboard look for it", () => {
  const emitted = emittedMetricsIn(dataDir);
  for (const { namespace, dimensions } of emitted) {
    expect([namespace, dimensions]).toEqual([METRIC_NAMESPACE, { [STAGE_DIMENSION]: "local" }]);
  }
  const names = new Set(emitted.map(({ name }) => name));
  expect(metricNames.filter((name) => !names.has(name) && !elsewhere.includes(name))).toEqual([]);
});
