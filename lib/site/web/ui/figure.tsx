// Numbers that matter, in a row, each with its label.
import { Bar } from "./skeleton.tsx";

interface FigureProps {
  readonly label: string;
  /** Undefined while it is read. */
  readonly value?: string | undefined;
  /** Compares the number with an earlier one. */
  readonly change?: string;
}

export function Figure({ label, value, change }: FigureProps) {
  return (
    <p class="figure-card">
      <span>{label}</span>
      {value === undefined ? (
        <span class="figure-value">
          <Bar size="s" />
        </span>
      ) : (
        <strong class="figure-value">{value}</strong>
      )}
      {change !== undefined && <span class="change">{change}</span>}
    </p>
  );
}
