// The shipped Chromium and its age: a current browser is the first defence against hostile pages.

/** Update it together with the package. A test compares it with the package and with the browser. */
export const chromium = {
  package: "@sparticuz/chromium",
  version: "153.0.0",
  /** Version of the browser. */
  browser: "153.0.8010.0",
  /** When the package was published. */
  published: "2026-09-11",
} as const;

/** Maximum age. Chromium has a new version every four weeks, and the package follows some weeks later. */
export const MAX_AGE_DAYS = 60;

/** Days since the package was published, at `now` in milliseconds since 1970. */
export function ageInDays(now: number): number {
  return Math.floor((now - Date.parse(chromium.published)) / (24 * 60 * 60 * 1000));
}
