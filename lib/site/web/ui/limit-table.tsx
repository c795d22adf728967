// The limits of an account, and which of them the operator has set in place of those of its plan.
import type { ComponentChildren } from "preact";
import type { Account } from "../../../../clients/typescript/src/generated/types.ts";
import { formatCount } from "./format.ts";

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

interface LimitTableProps {
  readonly limits: Limits;
  /** Writes when a limit ends. */
  readonly endText: (until: string) => ComponentChildren;
}

export function LimitTable({ limits, endText }: LimitTableProps) {
  return (
    <table class="limits">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Limit</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {limitTitles.map(([name, title]) => {
          const { value, until, is_override } = limits[name];
          return (
            <tr key={name}>
              <th scope="row">
                {title}
                {is_override && (
                  <span class="second-line">
                    set by the operator
                    {until !== null && <>, until {endText(until)}</>}
                  </span>
                )}
              </th>
              <td>{value === null ? "no limit" : formatCount(value)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
