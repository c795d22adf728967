// Dates and times as mails and invoices write them: in English and UTC.

const days = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });
const minutes = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A day, such as `January 31, 2026`, of milliseconds since 1970 or of a timestamp. */
export function writtenDay(time: number | string): string {
  return days.format(new Date(time));
}

/** A minute, such as `January 31, 2026 at 9:05 AM UTC`, of milliseconds since 1970 or of a timestamp. */
export function writtenMinute(time: number | string): string {
  return `${minutes.format(new Date(time))} UTC`;
}
