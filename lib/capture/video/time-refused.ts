// A page that cannot be filmed by a clock of ours.

/** The page or the browser does not go along with virtual time; the message says how that showed. */
export class TimeRefused extends Error {
  override name = "TimeRefused";
}
