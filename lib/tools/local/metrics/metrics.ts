// The metrics of the local service: counted from its log from the first line on, and served at an address of their own.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Service } from "../service.ts";
import { readQueueDepths } from "../sqs/queue-depths.ts";
import {
  CONTENT_TYPES,
  createMetricCounts,
  type GaugeValues,
  type KnownLabels,
  type MetricsContentType,
} from "./metric-counts.ts";
import type { ExportedName } from "./metric-definitions.ts";
import { type MetricsServer, startMetricsServer } from "./metrics-server.ts";
import type { MetricsSettings } from "./metrics-settings.ts";

export interface Metrics {
  /** Counts a line of the log of a function, an engine, or the API. Never throws. */
  count(source: string, line: string): void;
  /** Resolves to the address of the metrics. Throws `LocalServiceError` when it cannot be used. */
  listen(): Promise<string>;
  /** Reads the gauges of a running service from now on. Before, the metrics are answered by 503. */
  observe(service: ObservedService): void;
  close(): Promise<void>;
}

export interface ObservedService {
  readonly service: Pick<Service, "functions" | "queues" | "endpoints">;
  readonly dataDir: string;
  /** Date on which Chromium branched off, such as `2026-08-15`. */
  readonly chromiumBranched: string;
  /** Reads the lists in use, which change while the service runs. */
  readonly filterLists: () => readonly { readonly purpose: string; readonly date: string }[];
}

export function createMetrics(settings: MetricsSettings, known: KnownLabels): Metrics {
  const counts = createMetricCounts(known);
  let observed: ObservedService | undefined;
  let server: MetricsServer | undefined;
  const read = async (contentType: MetricsContentType) => {
    if (!observed) return undefined;
    for (const [name, values] of await gauges(observed)) counts.setGauge(name, values);
    return counts.text(contentType);
  };
  return {
    count: counts.count,
    async listen() {
      server = await startMetricsServer(settings, { read, contentTypes: CONTENT_TYPES });
      return server.url;
    },
    observe(next) {
      observed = next;
    },
    close: async () => server?.close(),
  };
}

async function gauges(observed: ObservedService): Promise<[ExportedName, GaugeValues][]> {
  const { service, dataDir, chromiumBranched, filterLists } = observed;
  const [depths, browsers] = await Promise.all([
    readQueueDepths(service.endpoints.sqs, service.queues).catch(() => []), // while the engine ends
    countBrowsers(dataDir),
  ]);
  const states = (name: string, label: string, counts: Readonly<Record<string, number>>): GaugeValues =>
    Object.entries(counts).map(([state, value]) => ({ labels: { [label]: constructName(name), state }, value }));
  const byPurpose = Map.groupBy(filterLists(), ({ purpose }) => purpose);
  return [
    [
      "screen_capture_queue_messages",
      depths.flatMap(({ queue, visible, inFlight, delayed }) =>
        states(queue.logicalId.replace(/^Queues/, ""), "queue", { visible, in_flight: inFlight, delayed }),
      ),
    ],
    [
      "screen_capture_sandboxes",
      service.functions.flatMap(({ logicalId, sandboxCount, startingCount: starting, idleCount: idle }) =>
        states(logicalId, "function", { starting, busy: sandboxCount - starting - idle, idle }),
      ),
    ],
    [
      "screen_capture_waiting_invocations",
      service.functions.map(({ logicalId, waitingCount: value }) => ({
        labels: { function: constructName(logicalId) },
        value,
      })),
    ],
    ["screen_capture_browsers", [{ value: browsers }]],
    ["screen_capture_chromium_branched_timestamp_seconds", [{ value: toUnixSeconds(chromiumBranched) }]],
    [
      "screen_capture_filter_lists_updated_timestamp_seconds",
      [...byPurpose].map(([purpose, lists]) => ({
        labels: { purpose },
        value: Math.max(...lists.map(({ date }) => toUnixSeconds(date))),
      })),
    ],
  ];
}

/**
 * Each browser has a profile folder in that of its sandbox while it runs. Reading the command lines of all processes instead would
 * keep this process busy for 20 ms, which delays running captures.
 */
async function countBrowsers(dataDir: string): Promise<number> {
  const run = join(dataDir, "run");
  const entriesIn = (folder: string) => readdir(folder).catch((): string[] => []); // it may have been removed
  const entries = await Promise.all((await entriesIn(run)).map((sandbox) => entriesIn(join(run, sandbox))));
  return entries.flat().filter((name) => name.startsWith("profile-")).length;
}

/** CDK adds eight hexadecimal digits to the name of a construct. */
function constructName(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, "");
}

function toUnixSeconds(date: string): number {
  return Date.parse(date) / 1000;
}
