// The limits of an account, and what they are called.
import type { Account } from "../../../../clients/typescript/src/generated/types.ts";

export type LimitName = keyof Account["limits"];

interface Limit {
  /** Null for none, and for one that is not known. */
  readonly value: number | null;
  /** When one that the operator has set ends. */
  readonly until: string | null;
  /** True for one that the operator has set. */
  readonly is_override: boolean;
}

export type Limits = Readonly<Record<LimitName, Limit>>;

const titles: Readonly<Record<LimitName, string>> = {
  requests_per_minute: "Requests a minute",
  concurrent_captures: "Synchronous captures at once",
  captures_per_day: "Successful captures a day (UTC)",
  api_keys: "API keys",
  concurrent_jobs: "Asynchronous captures waiting or running",
};

/** In the order in which they are shown. */
export const limitTitles = Object.entries(titles) as readonly (readonly [LimitName, string])[];
