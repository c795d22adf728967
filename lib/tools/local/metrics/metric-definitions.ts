// The metrics of `GET /metrics`, and where each metric of CloudWatch is among them.
import type { MetricName } from "../../../service/platform/metrics.ts";

export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Their values are from closed lists, which bounds the number of series. */
  readonly labels?: readonly string[];
  /** Upper bounds of the buckets of a histogram, in seconds. */
  readonly buckets?: readonly number[];
  /** The metric of an AWS service that has the same data in a deployed stage. */
  readonly awsMetric?: string;
}

const CAPTURE_BUCKETS = [0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300];
const PHASE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

export const metricDefinitions = {
  screen_capture_captures_total: {
    type: "counter",
    help: "Captures that ended, from the cache and failed ones included. Code and blame are none for a success.",
    labels: ["format", "code", "blame"],
  },
  screen_capture_cache_hits_total: { type: "counter", help: "Captures whose result came from the cache." },
  screen_capture_capture_duration_seconds: {
    type: "histogram",
    help: "Time from the request to the result of a capture that was rendered.",
    labels: ["format"],
    buckets: CAPTURE_BUCKETS,
  },
  screen_capture_service_duration_seconds: {
    type: "histogram",
    help: "The part of the duration of a rendered capture that the service takes, not the page.",
    buckets: CAPTURE_BUCKETS,
  },
  screen_capture_phase_duration_seconds: {
    type: "histogram",
    help: "Time that a capture spent in a phase, failed and cached ones included. Phases can overlap.",
    labels: ["phase"],
    buckets: PHASE_BUCKETS,
  },
  screen_capture_result_bytes_total: {
    type: "counter",
    help: "Bytes of the results of captures, from the cache included.",
    labels: ["format"],
  },
  screen_capture_compute_cost_dollars_total: {
    type: "counter",
    help: "Price that AWS would take for the computing time of the captures, about.",
  },
  screen_capture_cold_starts_total: { type: "counter", help: "Captures that were the first of their sandbox." },
  screen_capture_renderer_starts_total: {
    type: "counter",
    help: "Sandboxes of the separate renderer that rendered for the first time.",
  },
  screen_capture_renderer_throttles_total: {
    type: "counter",
    help: "Refused invocations of the separate renderer, each of which is repeated for a while.",
  },
  screen_capture_tainted_sandboxes_total: {
    type: "counter",
    help: "Sandboxes that ended because a browser left something behind or did not start.",
  },
  screen_capture_missing_protections_total: {
    type: "counter",
    help: "Sandboxes without a protection against code that has broken out of Chromium.",
  },
  screen_capture_egress_refusals_total: {
    type: "counter",
    help: "Requests of pages that the egress proxy refused, because their addresses are not public.",
  },
  screen_capture_excused_server_errors_total: {
    type: "counter",
    help: "Responses with a status from 500 that a page or a caller has caused.",
  },
  screen_capture_throttled_counters_total: {
    type: "counter",
    help: "Throttled writes of counters of running operations.",
  },
  screen_capture_webhook_deliveries_total: { type: "counter", help: "Deliveries of webhooks, failed ones included." },
  screen_capture_webhook_failures_total: {
    type: "counter",
    help: "Deliveries of webhooks that the receiver did not confirm.",
  },
  screen_capture_webhooks_not_scheduled_total: {
    type: "counter",
    help: "Waits of webhooks for which no schedule could be created.",
  },
  screen_capture_paused_receivers_total: {
    type: "counter",
    help: "Receivers of webhooks that were paused because they had failed for a day.",
  },
  screen_capture_requests_total: {
    type: "counter",
    help: "Responses of the public address by class of the status, such as 2xx. Aborted is a client that disconnected.",
    labels: ["status_class"],
    awsMetric: "`AWS/ApiGateway`: `Count`, `4XXError`, `5XXError`",
  },
  screen_capture_queue_messages: {
    type: "gauge",
    help: "Messages in a queue that wait (visible), are processed (in_flight), or become visible later (delayed).",
    labels: ["queue", "state"],
    awsMetric: "`AWS/SQS`: `ApproximateNumberOfMessages…`",
  },
  screen_capture_sandboxes: {
    type: "gauge",
    help: "Processes of a function that are starting, busy, or idle.",
    labels: ["function", "state"],
    awsMetric: "`AWS/Lambda`: `ConcurrentExecutions`",
  },
  screen_capture_waiting_invocations: {
    type: "gauge",
    help: "Invocations of a function that wait for a sandbox.",
    labels: ["function"],
  },
  screen_capture_browsers: {
    type: "gauge",
    help: "Running Chromium browsers, those that idle sandboxes keep ready included.",
  },
  screen_capture_chromium_branched_timestamp_seconds: {
    type: "gauge",
    help: "When the version of Chromium branched off, which has none of the fixes that came later.",
  },
  screen_capture_filter_lists_updated_timestamp_seconds: {
    type: "gauge",
    help: "When the newest filter list of a purpose changed.",
    labels: ["purpose"],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type ExportedName = keyof typeof metricDefinitions;

export interface CloudWatchSource {
  readonly metric: ExportedName;
  /** The label by which a query finds what this metric of CloudWatch counts: the exported one counts another of CloudWatch. */
  readonly where?: string;
}

/** The exported metric of each metric of CloudWatch, or "status page". */
export const cloudWatchSources: Readonly<Record<MetricName, CloudWatchSource | "status page">> = {
  Captures: { metric: "screen_capture_captures_total" },
  CaptureFaults: { metric: "screen_capture_captures_total", where: 'blame="us"' },
  CaptureRejections: { metric: "screen_capture_captures_total", where: 'blame=~"caller|target"' },
  CacheHits: { metric: "screen_capture_cache_hits_total" },
  CaptureTime: { metric: "screen_capture_capture_duration_seconds" },
  ServiceTime: { metric: "screen_capture_service_duration_seconds" },
  ExcusedServerErrors: { metric: "screen_capture_excused_server_errors_total" },
  ComputeCost: { metric: "screen_capture_compute_cost_dollars_total" },
  ColdStarts: { metric: "screen_capture_cold_starts_total" },
  RendererStarts: { metric: "screen_capture_renderer_starts_total" },
  RendererThrottles: { metric: "screen_capture_renderer_throttles_total" },
  TaintedSandboxes: { metric: "screen_capture_tainted_sandboxes_total" },
  MissingProtections: { metric: "screen_capture_missing_protections_total" },
  EgressRefusals: { metric: "screen_capture_egress_refusals_total" },
  ThrottledCounters: { metric: "screen_capture_throttled_counters_total" },
  WebhookDeliveries: { metric: "screen_capture_webhook_deliveries_total" },
  WebhookFailures: { metric: "screen_capture_webhook_failures_total" },
  WebhooksNotScheduled: { metric: "screen_capture_webhooks_not_scheduled_total" },
  PausedReceivers: { metric: "screen_capture_paused_receivers_total" },
  CanarySuccess: "status page",
  ApiCanarySuccess: "status page",
};

/** The table of docs/operations.md, as Markdown. */
export function metricTable(): string {
  const rows = Object.entries<MetricDefinition>(metricDefinitions).map(
    ([name, { type, help, labels = [], awsMetric }]) =>
      tableRow([
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(", "),
        help,
        awsMetric ?? cloudWatchNames(name),
      ]),
  );
  return [tableRow(["Metric", "Type", "Labels", "Meaning", "In CloudWatch"]), "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function cloudWatchNames(exported: string): string {
  return Object.entries(cloudWatchSources)
    .flatMap(([name, source]) => {
      if (source === "status page" || source.metric !== exported) return [];
      return source.where === undefined ? `\`${name}\`` : `\`${name}\`: \`${source.where.replaceAll("|", "\\|")}\``;
    })
    .join("; ");
}

const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
