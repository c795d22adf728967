// The limits of an account: those of its plan, and those that the operator has set.
import { formatCount } from "../../ui/format.ts";
import type { AccountDetails } from "../answers.ts";
import { UtcDay } from "../time.tsx";
import { limitNames, limitTitles } from "./limit-names.ts";

export function LimitTable({ limits }: Pick<AccountDetails, "limits">) {
  return (
    <section>
      <h2>Limits</h2>
      <table class="dense">
        <tbody>
          {limitNames.map((name) => {
            const { value, until, is_override } = limits[name];
            return (
              <tr key={name}>
                <th scope="row">
                  {limitTitles[name]}
                  {is_override && (
                    <span class="second-line">
                      set by the operator
                      {until !== null && (
                        <>
                          , until <UtcDay at={until} />
                        </>
                      )}
                    </span>
                  )}
                </th>
                <td class="number">{value === null ? "no limit" : formatCount(value)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
