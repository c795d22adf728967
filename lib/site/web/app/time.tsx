// A time in the visitor's time zone, with UTC as its tooltip, and the name of that zone.
import { formatTime } from "./format.ts";

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toUTCString().replace("GMT", "UTC")}>
      {formatTime(at)}
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
