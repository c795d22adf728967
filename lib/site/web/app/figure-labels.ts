// What the figures of the screens are called, also while they are read.

export const todayLabels = [
  "Captures today (UTC)",
  "Succeeded",
  "Median time",
  "95th percentile (p95)",
  "Cost of this period",
] as const;

export const usageLabels = [
  "Captures",
  "Failed",
  "Succeeded",
  "Average time",
  "95th percentile (p95)",
  "From the cache",
] as const;
