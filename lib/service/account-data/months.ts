// The months of an account, of each of which its log has a partition.

/** The UTC months from a timestamp to `now` (milliseconds since 1970), newest first, such as `2026-01`. */
export function monthsSince(timestamp: string, now: number): string[] {
  const last = new Date(now);
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - count)).toISOString().slice(0, 7);
  const months: string[] = [];
  for (let count = 0; monthsAgo(count) >= timestamp.slice(0, 7); count++) months.push(monthsAgo(count));
  return months;
}
