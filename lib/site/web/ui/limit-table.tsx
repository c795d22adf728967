// The limits of an account, and which of them the operator has set in place of those of its plan.
import type { ComponentChildren } from "preact";
import { formatCount } from "./format.ts";
import { type Limits, limitTitles } from "./limits.ts";

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
