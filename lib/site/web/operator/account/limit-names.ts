// What the limits of an account are called.
import type { LimitName } from "../answers.ts";

/** In the order in which they are shown. */
export const limitTitles: Readonly<Record<LimitName, string>> = {
  requests_per_minute: "Requests a minute",
  concurrent_captures: "Captures at once",
  captures_per_day: "Captures a day",
  api_keys: "API keys",
  concurrent_jobs: "Asynchronous captures waiting or running",
};

export const limitNames = Object.keys(limitTitles) as LimitName[];
