// Percentiles by nearest rank.

/** The smallest of the sorted values that at least this part of all values, from 0 to 1, does not exceed; undefined without values. */
export function percentile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}
