// The metrics that CloudWatch makes of log lines in its embedded metric format, by the rules of the specification.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A metric, as alarms and graphs name it. */
export interface MetricId {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface Datum extends MetricId {
  readonly value: number;
  readonly unit: string | undefined;
  /** The whole line, by whose other fields Logs Insights filters. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** CloudWatch takes data of up to two weeks before and two hours after the time at which the line arrives. */
const OLDEST_MS = 14 * 24 * 3_600_000;
const NEWEST_MS = 2 * 3_600_000;
const MAX_DIMENSIONS = 30;
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * The data in a log. CloudWatch looks at whole lines that are JSON objects with `_aws` at their root, and makes no metric of a
 * line that breaks a rule, without a word: this throws.
 */
export function emittedMetrics(log: string): Datum[] {
  return log
    .split("\n")
    .filter((line) => line.includes("CloudWatchMetrics"))
    .flatMap(dataOfLine);
}

/** The data of all functions of a service that runs or ran here. */
export function emittedMetricsIn(dataDir: string): Datum[] {
  const folder = join(dataDir, "logs");
  return readdirSync(folder).flatMap((file) => emittedMetrics(readFileSync(join(folder, file), "utf8")));
}

interface EmbeddedMetrics {
  readonly Timestamp: number;
  readonly CloudWatchMetrics: readonly {
    readonly Namespace: string;
    readonly Dimensions: readonly (readonly string[])[];
    readonly Metrics: readonly { readonly Name: string; readonly Unit?: string }[];
  }[];
}

function dataOfLine(line: string): Datum[] {
  const rule = (holds: boolean, text: string) => {
    if (!holds) throw new Error(`CloudWatch makes no metric of a line: ${text}: ${line.slice(0, 300)}`);
  };
  rule(Buffer.byteLength(line) < MAX_EVENT_BYTES, "it is too long");
  const fields: Record<string, unknown> = JSON.parse(line);
  rule("_aws" in fields, "'_aws' isn't at its root");
  const { Timestamp, CloudWatchMetrics } = fields["_aws"] as EmbeddedMetrics;
  const ageMs = Date.now() - Timestamp;
  rule(Number.isInteger(Timestamp) && ageMs < OLDEST_MS && ageMs > -NEWEST_MS, "its time is wrong");
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) => {
    rule(typeof Namespace === "string" && Namespace !== "", "it has no namespace");
    return Dimensions.flatMap((names) => {
      rule(names.length <= MAX_DIMENSIONS, "it has too many dimensions");
      for (const name of names) rule(typeof fields[name] === "string" && fields[name] !== "", `'${name}' is no text`);
      const dimensions = Object.fromEntries(names.map((name) => [name, String(fields[name])]));
      return Metrics.map(({ Name, Unit }) => {
        rule(typeof fields[Name] === "number" && Number.isFinite(fields[Name]), `'${Name}' is no number`);
        return { namespace: Namespace, name: Name, dimensions, value: fields[Name] as number, unit: Unit, fields };
      });
    });
  });
}
