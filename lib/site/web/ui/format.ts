// Numbers, sizes, money, and times as the visitor's language writes them.

const integers = new Intl.NumberFormat();
const times = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const utcDates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

const timesOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const daysOfYear = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

export const formatCount = (count: number): string => integers.format(count);

/** A count with its noun, such as `1 capture` and `1,200 captures`. `plural` is for nouns that need more than an `s`. */
export const countText = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`;

export const formatMilliseconds = (ms: number): string =>
  ms < 1000
    ? `${integers.format(ms)} ms`
    : `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1000)} s`;

/** The name of a plan, such as `Starter`. */
export const planName = (plan: string): string => `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;

/** A time that is left, such as `27 s` and `21 min`. */
export const formatWait = (seconds: number): string =>
  seconds < 100 ? `${formatCount(seconds)} s` : `${formatCount(Math.ceil(seconds / 60))} min`;

/** A size such as `0 bytes`, `1 byte`, and `23.4 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return sizeFormat("byte", "long").format(bytes); // the short form has no plural
  return bytes < 1_000_000
    ? sizeFormat("kilobyte", "short").format(bytes / 1000)
    : sizeFormat("megabyte", "short").format(bytes / 1_000_000);
}

function sizeFormat(unit: string, unitDisplay: "short" | "long"): Intl.NumberFormat {
  return new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 });
}

/** Dollars as the API writes them, such as `12.60`. */
export const formatMoney = (amount: string): string =>
  new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", maximumFractionDigits: 4 }).format(
    Number(amount),
  );

export const formatTime = (timestamp: string): string => times.format(new Date(timestamp));

/** The time of today, such as `2:05 PM`; the day with the time of another day of this year; otherwise the date. */
export function formatShortTime(timestamp: string, now = new Date()): string {
  const time = new Date(timestamp);
  if (time.toDateString() === now.toDateString()) return timesOfDay.format(time);
  return time.getFullYear() === now.getFullYear() ? daysOfYear.format(time) : dates.format(time);
}

export const formatDate = (timestamp: string): string => dates.format(new Date(timestamp));

/** The day of a billing period, which is one of UTC, as in invoices and mails. */
export const formatUtcDate = (timestamp: string): string => utcDates.format(new Date(timestamp));

/** A day of the API, which is one of UTC. */
export const formatDay = (day: string): string => utcDates.format(new Date(`${day}T00:00:00Z`));

/** The day of UTC that was `days` days ago. */
export const dayBefore = (days: number, now = Date.now()): string =>
  new Date(now - days * 86_400_000).toISOString().slice(0, 10);
