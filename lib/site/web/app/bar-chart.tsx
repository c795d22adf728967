// A bar chart of days as SVG, with a tooltip that the pointer and the arrow keys move. The table next to it has the same numbers.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatCount, formatDay } from "../ui/format.ts";
import { tickStep } from "./tick-step.ts";

export interface ChartDay {
  readonly date: string;
  readonly success: number;
  readonly failed: number;
}

interface BarChartProps {
  /** Oldest day first. */
  readonly days: readonly ChartDay[];
  readonly label: string;
  /** Called with the date of the day that was chosen. */
  readonly onChoose: (date: string) => void;
}

/** In CSS pixels, as all lengths here: the drawing has the width of its place, so that its texts have their own size. */
const HEIGHT = 220;
const TOP = 12;
const BASELINE = HEIGHT - 26;
/** Room of a character of the labels at the axis. */
const CHARACTER = 8;
/** Room of a date below the axis. */
const DATE_LABEL = 110;

export function BarChart({ days, label, onChoose }: BarChartProps) {
  const [place, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const highest = Math.max(1, ...days.map(({ success, failed }) => success + failed));
  const step = tickStep(highest);
  const top = Math.ceil(highest / step) * step;
  const ticks = Array.from({ length: top / step + 1 }, (_, index) => index * step);
  const left = formatCount(top).length * CHARACTER + 8;
  const dayWidth = Math.max(0, width - left) / Math.max(1, days.length);
  const barWidth = Math.max(1, Math.min(dayWidth * 0.7, 48));
  const yOf = (count: number) => BASELINE - (count / top) * (BASELINE - TOP);
  const day = chosen === undefined ? undefined : days[chosen];
  const last = days.length - 1;

  const chooseAt = ({ clientX, currentTarget }: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - left;
    setChosen(x < 0 || dayWidth === 0 ? undefined : Math.min(last, Math.floor(x / dayWidth)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = chosen ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) setChosen(Math.max(0, Math.min(last, next)));
    else if (event.key === "Escape") setChosen(undefined);
    else if (event.key === "Enter" && day) onChoose(day.date);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="bar-chart"
      ref={place}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, days.length)}
      aria-valuenow={(chosen ?? last) + 1}
      aria-valuetext={describeDay(day ?? days[last])}
      onPointerDown={chooseAt}
      onPointerMove={chooseAt}
      onPointerLeave={(event) => !isTouch(event) && setChosen(undefined)}
      onClick={(event) => !isTouch(event) && day && onChoose(day.date)}
      onKeyDown={onKeyDown}
      onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setChosen(chosen ?? last)}
      onBlur={() => setChosen(undefined)}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true">
        {ticks.map((count) => (
          <g key={count}>
            <line class={count === 0 ? "axis" : "grid-line"} x1={left} x2={width} y1={yOf(count)} y2={yOf(count)} />
            <text class="axis-label axis-end" x={left - 8} y={yOf(count)} dy="0.35em">
              {formatCount(count)}
            </text>
          </g>
        ))}
        {chosen !== undefined && (
          <rect class="chosen-day" x={left + chosen * dayWidth} y={TOP} width={dayWidth} height={BASELINE - TOP} />
        )}
        {days.map(({ date, success, failed }, index) => {
          const x = left + index * dayWidth + (dayWidth - barWidth) / 2;
          return (
            <g key={date}>
              <rect class="bar-success" x={x} y={yOf(success)} width={barWidth} height={BASELINE - yOf(success)} />
              <rect
                class="bar-failed"
                x={x}
                y={yOf(success + failed)}
                width={barWidth}
                height={yOf(success) - yOf(success + failed)}
              />
            </g>
          );
        })}
        {labelledDays(days.length, width - left).map((index) => (
          <text
            key={index}
            class={`axis-label ${index === 0 ? "" : index === last ? "axis-end" : "axis-middle"}`}
            x={index === 0 ? left : index === last ? width : left + (index + 0.5) * dayWidth}
            y={HEIGHT - 6}
          >
            {formatDay(days[index]?.date ?? "")}
          </text>
        ))}
      </svg>
      {day && chosen !== undefined && (
        <Tooltip day={day} at={left + (chosen + 0.5) * dayWidth} isRight={chosen >= days.length / 2} width={width} />
      )}
    </div>
  );
}

interface TooltipProps {
  readonly day: ChartDay;
  /** The middle of the day. */
  readonly at: number;
  /** Whether the day is in the right half, so that the tooltip is on its left. */
  readonly isRight: boolean;
  /** Of the chart. */
  readonly width: number;
}

function Tooltip({ day: { date, success, failed }, at, isRight, width }: TooltipProps) {
  return (
    <p class="chart-tooltip" style={isRight ? { right: `${width - at + 12}px` } : { left: `${at + 12}px` }}>
      <strong>{formatDay(date)} (UTC)</strong>
      <span class="legend-success">{formatCount(success)} succeeded</span>
      <span class="legend-failed">{formatCount(failed)} failed</span>
    </p>
  );
}

/** A finger cannot point without a click: it shows the day, and the table leads to its captures. */
function isTouch(event: MouseEvent): boolean {
  return "pointerType" in event && event.pointerType === "touch";
}

function describeDay(day: ChartDay | undefined): string {
  if (!day) return "no days";
  return `${formatDay(day.date)}: ${formatCount(day.success)} succeeded, ${formatCount(day.failed)} failed`;
}

/** The indexes of the first day, the last one, and as many evenly between them as have room. */
function labelledDays(count: number, width: number): number[] {
  if (count < 2) return count === 1 ? [0] : [];
  const parts = Math.max(1, Math.min(count - 1, 6, Math.floor(width / DATE_LABEL) - 1));
  return [...new Set(Array.from({ length: parts + 1 }, (_, index) => Math.round((index * (count - 1)) / parts)))];
}

/** The width of an element, also when it changes. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    setWidth(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
