// Statistics of repeated measurements, and their format.

/** The value below which a share of the measurements lies, by the nearest rank. Throws for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
  if (value === undefined) throw new RangeError("There is nothing to take a quantile of.");
  return value;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The ratio of each value to the other one of the same turn: load that slows both down cancels out. */
export function pairwiseRatios(values: readonly number[], baseline: readonly number[]): number[] {
  return values.map((value, turn) => value / (baseline[turn] ?? Number.NaN));
}

/** A table in plain text: the first row is its head, numbers stand to the right. */
export function figureTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)));
  return rows.map((row) => line(row).join("  ").trimEnd()).join("\n");
}

export const milliseconds = (time: number) => `${time.toFixed(0)} ms`;

export const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

/** As samples of memory are kept. */
export const inMegabytes = (bytes: number) => bytes / 2 ** 20;

/** Formats a file size. */
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;
