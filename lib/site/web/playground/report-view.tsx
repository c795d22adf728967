// The report of a capture next to its result: a timeline of phases and requests, and all of it as JSON.
import type { CaptureReport } from "../../../../clients/typescript/src/generated/types.ts";
import { JsonView } from "../shared/highlight.tsx";
import { useLoaded } from "../shared/use-loaded.ts";

export function ReportView({ load }: { readonly load: () => Promise<CaptureReport> }) {
  const { value: report, error } = useLoaded(load, [load]);
  if (error !== undefined) {
    return <p class="warning">The report can’t be loaded: {error instanceof Error ? error.message : String(error)}</p>;
  }
  if (!report) return null;
  return (
    <details class="report">
      <summary>Report</summary>
      <Timeline report={report} />
      <JsonView value={report} />
    </details>
  );
}

const ROW = 12;

/** One bar for each phase and request; the widths are attributes of SVG, because the page's policy allows no inline styles. */
function Timeline({ report: { phases, requests, duration_ms: total } }: { readonly report: CaptureReport }) {
  const bars = [
    ...phases.map(({ name, starts_at_ms, duration_ms }) => ({
      name,
      from: starts_at_ms,
      length: duration_ms,
      kind: "phase",
    })),
    ...requests.first.map(({ url, starts_at_ms, duration_ms, failed }) => ({
      name: url,
      from: starts_at_ms,
      length: duration_ms ?? Math.max(0, total - starts_at_ms),
      kind: failed === null ? "request" : "failed",
    })),
  ];
  const end = Math.max(1, ...bars.map(({ from, length }) => from + length));
  return (
    <svg
      class="timeline"
      viewBox={`0 0 1000 ${bars.length * ROW}`}
      role="img"
      aria-label="Timeline of phases and requests"
    >
      {bars.map(({ name, from, length, kind }, index) => (
        <rect
          key={`${index} ${name}`}
          class={`bar-${kind}`}
          x={(from / end) * 1000}
          y={index * ROW + 2}
          width={Math.max(2, (length / end) * 1000)}
          height={ROW - 4}
        >
          <title>{`${name}: ${Math.round(length)} ms`}</title>
        </rect>
      ))}
    </svg>
  );
}
