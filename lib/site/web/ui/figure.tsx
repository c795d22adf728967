// A number that matters, with its label, in a row of others.

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Compares the number with an earlier one. */
  readonly change?: string;
}

export function Figure({ label, value, change }: FigureProps) {
  return (
    <p class="figure-card">
      <span>{label}</span>
      <strong>{value}</strong>
      {change !== undefined && <span class="change">{change}</span>}
    </p>
  );
}
