// Which Chromium is shipped, and since when it can be had: a current one is the first defence against hostile pages.

/** Whoever updates the package writes this anew; a test compares it with the package and with the browser itself. */
export const chromium = {
  package: "@sparticuz/chromium",
  version: "153.0.0",
  /** What the browser says of itself. */
  browser: "153.0.8010.0",
  /** When the package was published. */
  published: "2026-09-11",
} as const;

/** Chromium has a new version every four weeks, and the package follows some weeks later. Older than this is too old. */
export const OLDEST_DAYS = 60;

/** Days since the package was published, at `now` in milliseconds since 1970. */
export function ageInDays(now: number): number {
  return Math.floor((now - Date.parse(chromium.published)) / (24 * 60 * 60 * 1000));
}
