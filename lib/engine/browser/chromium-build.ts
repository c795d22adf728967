// The shipped Chromium and its age: a current browser is the first defence against hostile pages.

/** `npm run upgrade:chromium` updates it together with the package. Tests compare it with the package and with the browser. */
export const chromium = {
  package: "@sparticuz/chromium",
  version: "153.0.0",
  /** Version of the browser. */
  browser: "153.0.8010.0",
  /** When the package was published. */
  published: "2026-09-11",
  /** Position on Chromium's main branch at which the version branched off. The package has none of the fixes that came later. */
  position: "1681091",
  /** When that was, at the earliest. */
  branched: "2026-08-15",
} as const;

/** Maximum age. Chromium has a new version every two weeks, and the package follows some weeks later. */
export const MAX_AGE_DAYS = 60;

/** Days since the version branched off, at `now` in milliseconds since 1970. */
export function ageInDays(now: number): number {
  return Math.floor((now - Date.parse(chromium.branched)) / (24 * 60 * 60 * 1000));
}
