// The operator's view of log files on this machine.
import { percentile } from "../platform/percentile.ts";
import { openFileLog } from "./file-log.ts";
import { linesWith, listLogFiles, readCompleteLines } from "./log-files.ts";
import { type LogFields, parseLine } from "./log-line.ts";
import type { CaptureFailures, CaptureSummary, OperatorLog, StartMetric } from "./operator-log.ts";
import { readRequestLines } from "./request-lines.ts";
import { requestFilter } from "./request-window.ts";

/** The log files of a folder. A day of 100 MB takes about 0.2 seconds. */
export function fileOperatorLog(folder: string, startMetric: StartMetric): OperatorLog {
  return {
    findRequest: async (id) => (await readRequestLines(() => openFileLog(folder), requestFilter(id))).lines,
    async summarizeCaptures(since) {
      const metrics = listLogFiles(folder, since).flatMap(({ path, source }) =>
        linesWith(readCompleteLines(path), ['"Captures":', '"RendererStarts":'])
          .map((text) => parseLine(source, text))
          .flatMap(({ at, json }) => (json && at >= since ? [json] : [])),
      );
      return summarize(metrics, startMetric);
    },
  };
}

/** Sums up the metrics of captures, and of renderers that were started, from the fields of their lines. */
function summarize(metrics: readonly LogFields[], startMetric: StartMetric): CaptureSummary {
  const captures = metrics.filter(({ Captures }) => Captures === 1);
  const times = captures.map(({ milliseconds }) => Number(milliseconds)).toSorted((one, other) => one - other);
  return {
    captures: captures.length,
    failures: countFailures(captures),
    p50Ms: percentile(times, 0.5) ?? null,
    p95Ms: percentile(times, 0.95) ?? null,
    rendererStarts: metrics.reduce((sum, { [startMetric]: starts = 0 }) => sum + Number(starts), 0),
  };
}

function countFailures(captures: readonly LogFields[]): CaptureFailures[] {
  const failed = captures.filter(({ code }) => code !== undefined);
  return [...Map.groupBy(failed, ({ code, blame }) => `${code} ${blame}`).values()]
    .map((group) => ({ code: String(group[0]?.["code"]), blame: String(group[0]?.["blame"]), count: group.length }))
    .toSorted((one, other) => other.count - one.count);
}
