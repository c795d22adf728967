// Counts the metrics of `GET /metrics` from the log lines of the functions and of the API, and reads the gauges at each scrape.
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  cloudWatchSources,
  type ExportedName,
  type MetricDefinition,
  metricDefinitions,
} from "./metric-definitions.ts";

/** The values that labels can have. All others become `other`. */
export interface KnownLabels {
  readonly formats: readonly string[];
  readonly codes: readonly string[];
  readonly phases: readonly string[];
}

/** The values of a gauge at a scrape. */
export type GaugeValues = readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];

export interface MetricCounts {
  /** Counts what a log line says. Never throws: lines are text that any process may have written. */
  count(source: string, line: string): void;
  /** Replaces the values of a gauge. */
  setGauge(name: ExportedName, values: GaugeValues): void;
  /** All metrics in a format of `CONTENT_TYPES`, by default the first one. */
  text(contentType?: MetricsContentType): Promise<string>;
}

/** Prometheus' text format, and OpenMetrics, which Prometheus prefers. The first one is for a client that names none. */
export const CONTENT_TYPES = [Registry.PROMETHEUS_CONTENT_TYPE, Registry.OPENMETRICS_CONTENT_TYPE] as const;

export type MetricsContentType = (typeof CONTENT_TYPES)[number];

const BLAMES = ["caller", "target", "us"];
const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx", "aborted"];
const OTHER = "other";
/** The code and the blame of a capture that succeeded. */
const NONE = "none";

export function createMetricCounts(known: KnownLabels): MetricCounts {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  const fold = (value: unknown, values: readonly string[]) => values.find((each) => each === value) ?? OTHER;
  const foldOptional = (value: unknown, values: readonly string[]) =>
    value === undefined ? NONE : fold(value, values);

  // A series that starts at 1 has no increase for Prometheus.
  for (const format of known.formats)
    add(metrics, "screen_capture_captures_total", { format, code: NONE, blame: NONE }, 0);
  for (const status_class of STATUS_CLASSES.slice(1))
    add(metrics, "screen_capture_requests_total", { status_class }, 0);

  /** The labels of a metric, from the fields of a line. */
  const labelsOf = (name: ExportedName, fields: LogFields): Record<string, string> => {
    const { labels = [] }: MetricDefinition = metricDefinitions[name];
    const values: Readonly<Record<string, () => string>> = {
      format: () => fold(fields["format"], known.formats),
      code: () => foldOptional(fields["code"], known.codes),
      blame: () => foldOptional(fields["blame"], BLAMES),
    };
    return Object.fromEntries(labels.map((label) => [label, values[label]?.() ?? OTHER]));
  };

  const countEvent = (fields: LogFields) => {
    for (const [cloudWatchName, source] of Object.entries(cloudWatchSources)) {
      const value = fields[cloudWatchName];
      if (value === undefined || source === "status page" || source.where !== undefined) continue;
      add(metrics, source.metric, labelsOf(source.metric, fields), toSeconds(source.metric, Number(value)));
    }
    if (fields["Captures"] === undefined) return;
    for (const phase of known.phases) {
      const milliseconds = fields[`${phase}_ms`];
      if (milliseconds === undefined) continue;
      add(metrics, "screen_capture_phase_duration_seconds", { phase }, Number(milliseconds) / 1000);
    }
    const bytes = "screen_capture_result_bytes_total";
    if (fields["bytes"] !== undefined) add(metrics, bytes, labelsOf(bytes, fields), Number(fields["bytes"]));
  };

  return {
    count(source, line) {
      if (source === "api") {
        const status = sentStatus(line);
        if (status !== undefined) add(metrics, "screen_capture_requests_total", { status_class: status }, 1);
      } else {
        const fields = embeddedMetrics(line);
        if (fields) countEvent(fields);
      }
    },
    setGauge(name, values) {
      const gauge = metrics[name];
      if (!(gauge instanceof Gauge)) throw new Error(`${name} is no gauge.`);
      gauge.reset();
      for (const { labels = {}, value } of values) gauge.set(labels, value);
    },
    async text(contentType = CONTENT_TYPES[0]) {
      const text = await registry.metrics();
      return contentType === Registry.OPENMETRICS_CONTENT_TYPE ? toOpenMetrics(text) : text;
    },
  };
}

/**
 * Of what the service exports, OpenMetrics differs in this: the name of a counter lacks the suffix of its samples, and there is a last
 * line, and no empty one. A registry of prom-client that writes OpenMetrics renames its counters, after which no text is right.
 * https://prometheus.io/docs/specs/om/open_metrics_spec/
 */
function toOpenMetrics(text: string): string {
  const named = text.replaceAll(/^(# (?:HELP|TYPE) \S+)_total /gm, "$1 ").replaceAll(/\n{2,}/g, "\n");
  return `${named.trimEnd()}\n# EOF\n`;
}

type Metrics = Readonly<Record<ExportedName, Counter | Gauge | Histogram>>;

function createMetrics(registry: Registry): Metrics {
  const create = ([name, definition]: [string, MetricDefinition]) => {
    const { type, help, labels: labelNames = [], buckets = [] } = definition;
    const options = { name, help, labelNames: [...labelNames], registers: [registry] };
    if (type === "counter") return [name, new Counter(options)];
    if (type === "gauge") return [name, new Gauge(options)];
    return [name, new Histogram({ ...options, buckets: [...buckets] })];
  };
  return Object.fromEntries(Object.entries<MetricDefinition>(metricDefinitions).map(create)) as Metrics;
}

/** Ignores a value that no counter can take. */
function add(metrics: Metrics, name: ExportedName, labels: Readonly<Record<string, string>>, value: number): void {
  if (!Number.isFinite(value) || value < 0) return;
  const metric = metrics[name];
  if (metric instanceof Histogram) metric.observe(labels, value);
  else metric.inc(labels, value);
}

/** CloudWatch's times are in milliseconds. */
function toSeconds(name: ExportedName, value: number): number {
  return metricDefinitions[name].type === "histogram" ? value / 1000 : value;
}

type LogFields = Readonly<Record<string, unknown>>;

/** The fields of a line in CloudWatch's embedded metric format; undefined for all other lines. */
function embeddedMetrics(line: string): LogFields | undefined {
  if (!line.startsWith('{"_aws":')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The class of the status that the API has sent by a line of its log, such as `GET /health 200 3 ms`. */
function sentStatus(line: string): string | undefined {
  const [, status] = / ([1-5]\d\d|aborted) \d+ ms$/.exec(line) ?? [];
  return status?.replace(/^(\d)\d\d$/, "$1xx");
}
