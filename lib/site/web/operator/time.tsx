// Times of the operator's page: in UTC, as logs have them, with their age.
import { formatAge, formatUtc } from "./ages.ts";

interface TimeProps {
  readonly at: string;
}

/** How long ago a time was, with the time as its tooltip; for a time to come, how long it takes until then. */
export function Age({ at }: TimeProps) {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  return (
    <time dateTime={at} title={`${formatUtc(at, true)} UTC`}>
      {seconds < 0 ? `in ${formatAge(-seconds)}` : `${formatAge(seconds)} ago`}
    </time>
  );
}

/** A time in UTC with its age. */
export function UtcTime({ at }: TimeProps) {
  return (
    <span class="utc-time">
      <time dateTime={at}>{formatUtc(at)} UTC</time>{" "}
      <span class="note">
        (<Age at={at} />)
      </span>
    </span>
  );
}

/** A day in UTC. */
export function UtcDay({ at }: TimeProps) {
  return (
    <time dateTime={at} title={`${formatUtc(at, true)} UTC`}>
      {formatUtc(at).slice(0, 10)}
    </time>
  );
}
