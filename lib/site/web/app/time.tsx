// A time in the visitor's zone, with UTC as its tooltip.
import { formatTime } from "./format.ts";

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toUTCString()}>
      {formatTime(at)}
    </time>
  );
}
