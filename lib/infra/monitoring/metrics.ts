// The metrics that alarms and the dashboard watch.
import { Duration } from "aws-cdk-lib";
import { MathExpression, Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { METRIC_NAMESPACE, type MetricName, STAGE_DIMENSION } from "../../service/platform/metrics.ts";
import type { CaptureApi } from "../api/capture-api.ts";
import type { ServiceTable } from "../data/table.ts";
import type { StageConfig } from "../stages.ts";

const PERIOD = Duration.minutes(5);

/** A metric that the functions of the stage emit. */
export function serviceMetric({ name }: StageConfig, metricName: MetricName, options: MetricOptions = {}): Metric {
  const dimensionsMap = { [STAGE_DIMENSION]: name };
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap,
    statistic: Stats.SUM,
    period: PERIOD,
    ...options,
  });
}

/** Percentage of captures that failed because of the service; 0 for fewer than `minimum` captures in five minutes. */
export function faultPercentage(stage: StageConfig, minimum: number): MathExpression {
  return new MathExpression({
    expression: `IF(captures >= ${minimum}, 100 * faults / captures, 0)`,
    usingMetrics: { captures: serviceMetric(stage, "Captures"), faults: serviceMetric(stage, "CaptureFaults") },
    label: "Faults of the service in %",
    period: PERIOD,
  });
}

/** Percentage of captures of 30 minutes that failed because of the service; 0 for fewer than `minimum` faults, however few captures there are. */
export function persistentFaultPercentage(stage: StageConfig, minimum: number): MathExpression {
  const period = Duration.minutes(30);
  return new MathExpression({
    expression: `IF(faults >= ${minimum}, 100 * faults / captures, 0)`,
    usingMetrics: {
      captures: serviceMetric(stage, "Captures", { period }),
      faults: serviceMetric(stage, "CaptureFaults", { period }),
    },
    label: "Faults of the service of 30 minutes in %",
    period,
  });
}

/**
 * Errors of functions that run Chromium, without those of sandboxes that have ended themselves because a browser had tainted them: a page
 * can bring these about.
 */
export function untaintedErrors(stage: StageConfig, functions: readonly IFunction[]): MathExpression {
  const errors = functions.map((fn, index) => [`errors${index}`, fn.metricErrors({ period: PERIOD })] as const);
  return new MathExpression({
    expression: `${filledSum(errors)} - FILL(tainted, 0)`,
    usingMetrics: { ...Object.fromEntries(errors), tainted: serviceMetric(stage, "TaintedSandboxes") },
    label: "Errors besides tainted sandboxes",
    period: PERIOD,
  });
}

/**
 * Percentage of requests that are answered with a status from 500 because of the service; 0 for fewer than `minimum` in five
 * minutes. API Gateway counts every such status, that of a page that is too slow included.
 */
export function serverErrorPercentage(
  stage: StageConfig,
  api: Pick<CaptureApi, "requests" | "serverErrors">,
  minimum: number,
): MathExpression {
  return new MathExpression({
    expression: `IF(requests >= ${minimum}, 100 * (errors - FILL(excused, 0)) / requests, 0)`,
    usingMetrics: {
      requests: api.requests(),
      errors: api.serverErrors(),
      excused: serviceMetric(stage, "ExcusedServerErrors"),
    },
    label: "5xx of the service in %",
    period: PERIOD,
  });
}

/** Sum of a metric of several functions. */
export function sumOf(
  functions: readonly IFunction[],
  metricOf: (fn: IFunction) => Metric,
  label: string,
): MathExpression {
  // An id may stand for one metric only in a graph.
  const metrics = functions.map(
    (fn, index) => [`${label.replaceAll(" ", "").toLowerCase()}${index}`, metricOf(fn)] as const,
  );
  return sumOfMetrics(metrics, label);
}

/** Reads and writes that DynamoDB refused for lack of throughput, of all tables. */
export function throttledEvents(tables: readonly ServiceTable[]): MathExpression {
  const metrics = tables.flatMap((table, index) =>
    ["ReadThrottleEvents", "WriteThrottleEvents"].map(
      (metricName, kind) => [`t${index}${kind}`, tableMetric(table, metricName)] as const,
    ),
  );
  return sumOfMetrics(metrics, "Throttled reads and writes");
}

/** Transactions that DynamoDB cancelled because another one had an item, for every 100 captures; 0 for fewer than `minimum` captures. */
export function conflictPercentage(
  stage: StageConfig,
  tables: readonly ServiceTable[],
  minimum: number,
): MathExpression {
  const conflicts = tables.map((table, index) => [`c${index}`, tableMetric(table, "TransactionConflict")] as const);
  return new MathExpression({
    expression: `IF(captures >= ${minimum}, 100 * (${filledSum(conflicts)}) / captures, 0)`,
    usingMetrics: { captures: serviceMetric(stage, "Captures"), ...Object.fromEntries(conflicts) },
    label: "Conflicts for each 100 captures",
    period: PERIOD,
  });
}

/** Executions of all functions of the region at the same time, whose quota the AWS account has. */
export function regionConcurrency(): Metric {
  return new Metric({
    namespace: "AWS/Lambda",
    metricName: "ConcurrentExecutions",
    statistic: Stats.MAXIMUM,
    period: PERIOD,
  });
}

function tableMetric(table: ServiceTable, metricName: string): Metric {
  return new Metric({
    namespace: "AWS/DynamoDB",
    metricName,
    dimensionsMap: { TableName: table.tableName },
    statistic: Stats.SUM,
    period: PERIOD,
  });
}

/** Sum of metrics with their ids. */
function sumOfMetrics(metrics: readonly (readonly [string, Metric])[], label: string): MathExpression {
  return new MathExpression({
    expression: filledSum(metrics),
    usingMetrics: Object.fromEntries(metrics),
    label,
    period: PERIOD,
  });
}

/**
 * The expression of a sum. A sum has no value while one of its terms has none: Lambda reports nothing of a function that
 * isn't invoked, and DynamoDB refused requests only while there are some. So what is missing counts as 0.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
function filledSum(metrics: readonly (readonly [string, Metric])[]): string {
  return metrics.map(([id]) => `FILL(${id}, 0)`).join(" + ");
}
