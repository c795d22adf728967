// A bar chart of days as SVG. The table beside it says the same, to the eye and to a screen reader.
import { formatCount, formatDay } from "./format.ts";

export interface ChartDay {
  readonly date: string;
  readonly success: number;
  readonly failed: number;
}

const WIDTH = 720;
const HEIGHT = 180;
const BASELINE = HEIGHT - 20;

/** Oldest day first. */
export function BarChart({ days, label }: { readonly days: readonly ChartDay[]; readonly label: string }) {
  const highest = Math.max(1, ...days.map(({ success, failed }) => success + failed));
  const step = WIDTH / Math.max(1, days.length);
  const width = Math.max(2, step * 0.7);
  const heightOf = (count: number) => (count / highest) * (BASELINE - 16);
  return (
    <svg class="bar-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line class="axis" x1={0} x2={WIDTH} y1={BASELINE} y2={BASELINE} />
      <text class="axis-label" x={0} y={10}>
        {formatCount(highest)}
      </text>
      {days.map(({ date, success, failed }, index) => {
        const x = index * step + (step - width) / 2;
        const [good, bad] = [heightOf(success), heightOf(failed)];
        return (
          <g key={date}>
            <title>{`${formatDay(date)}: ${formatCount(success)} succeeded, ${formatCount(failed)} failed`}</title>
            <rect class="bar-success" x={x} y={BASELINE - good} width={width} height={good} />
            <rect class="bar-failed" x={x} y={BASELINE - good - bad} width={width} height={bad} />
          </g>
        );
      })}
      <text class="axis-label" x={0} y={HEIGHT - 4}>
        {days[0] && formatDay(days[0].date)}
      </text>
      <text class="axis-label axis-end" x={WIDTH} y={HEIGHT - 4}>
        {formatDay(days.at(-1)?.date ?? "2026-01-01")}
      </text>
    </svg>
  );
}
