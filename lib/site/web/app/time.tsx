// A time in the visitor's time zone, with UTC as its tooltip, and the name of that zone.
import { formatShortTime, formatTime } from "../ui/format.ts";

interface TimeProps {
  readonly at: string;
  /** True for a list, where the year and, for a time of today, the day go without saying. */
  readonly isShort?: boolean;
}

export function Time({ at, isShort = false }: TimeProps) {
  return (
    <time dateTime={at} title={new Date(at).toUTCString().replace("GMT", "UTC")}>
      {isShort ? formatShortTime(at) : formatTime(at)}
    </time>
  );
}

/** The visitor's time zone now, such as `GMT+1`, or `UTC`. */
function zoneName(now = new Date()): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" }).formatToParts(now);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "local time";
}

/** Says in which zones a list has its times and its filters. */
export function ZoneNote() {
  const zone = zoneName();
  return <>{zone === "UTC" ? "Times are in UTC." : `Times are in ${zone}; point at one for UTC.`}</>;
}
