// Metrics in CloudWatch's embedded metric format: a line of the log from which CloudWatch makes metrics, at no request of ours.
// Their only dimension is the stage: each further one multiplies the metrics, which are billed by number. What differs from
// capture to capture is in the line's other fields, by which Logs Insights filters and groups.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { optionalVariable } from "./environment.ts";
import { type Fields, logContext } from "./log-context.ts";

export const METRIC_NAMESPACE = "ScreenCapture";

/** The dimension of every metric; its value is the name of the stage. */
export const STAGE_DIMENSION = "service";

const units = {
  /** Captures that ended, from the cache and failed ones included. */
  Captures: MetricUnit.Count,
  /** Captures that failed because of the service. */
  CaptureFaults: MetricUnit.Count,
  /** Captures that failed because of the page or the caller. */
  CaptureRejections: MetricUnit.Count,
  CacheHits: MetricUnit.Count,
  /** From the request to the result of a capture that was rendered. */
  CaptureTime: MetricUnit.Milliseconds,
  /** The part of it that the service takes, not the page: see `serviceTime`. */
  ServiceTime: MetricUnit.Milliseconds,
  /** Responses with a status from 500 that a page or a caller has caused; only where there are some. */
  ExcusedServerErrors: MetricUnit.Count,
  /** Estimated price in dollars of the computing time of a capture. */
  ComputeCost: MetricUnit.NoUnit,
  /** Captures that were the first of their sandbox. */
  ColdStarts: MetricUnit.Count,
  /** Execution environments of the separate renderer that rendered for the first time; AWS bills their starts. Only where there are some. */
  RendererStarts: MetricUnit.Count,
  /** Invocations of the separate renderer that Lambda refused. Each is repeated for a while. Only where there are some. */
  RendererThrottles: MetricUnit.Count,
  /** Sandboxes that ended because a browser left something behind or did not start. */
  TaintedSandboxes: MetricUnit.Count,
  /** Sandboxes in which a protection against code that has broken out of Chromium is not in force; only where there are some. */
  MissingProtections: MetricUnit.Count,
  /** Requests of pages that the egress proxy refused, because their addresses are not public; only where there are some. */
  EgressRefusals: MetricUnit.Count,
  /** Writes of counters of running operations that DynamoDB throttled; only where there are some. */
  ThrottledCounters: MetricUnit.Count,
  WebhookDeliveries: MetricUnit.Count,
  /** Deliveries that the receiver did not confirm. */
  WebhookFailures: MetricUnit.Count,
  /** Waits of webhooks for which no schedule could be created, so that messages with shorter delays replace it; only where there are some. */
  WebhooksNotScheduled: MetricUnit.Count,
  /** Receivers that were paused because they had failed for a day; only where there are some. */
  PausedReceivers: MetricUnit.Count,
  /** 1 for a capture of the canary that is right, 0 for any other outcome. */
  CanarySuccess: MetricUnit.Count,
  /** 1 for requests of the canary to the public address that are answered right, 0 for any other outcome. */
  ApiCanarySuccess: MetricUnit.Count,
} as const;

export type MetricName = keyof typeof units;

export const metricNames = Object.keys(units) as readonly MetricName[];

let metrics: Metrics | undefined;

/**
 * Emits metrics with fields that describe the event. Fields must not contain secrets. Does nothing outside of a deployed or
 * local stage.
 */
export function emitMetrics(values: Partial<Readonly<Record<MetricName, number>>>, fields: Fields = {}): void {
  const stage = optionalVariable("STAGE_NAME");
  if (stage === undefined) return;
  metrics ??= new Metrics({ namespace: METRIC_NAMESPACE, serviceName: stage });
  for (const [name, value] of Object.entries(values)) metrics.addMetric(name, units[name as MetricName], value);
  for (const [name, value] of Object.entries({ ...logContext(), ...fields })) {
    if (value !== undefined && value !== null) metrics.addMetadata(name, String(value));
  }
  metrics.publishStoredMetrics();
}
