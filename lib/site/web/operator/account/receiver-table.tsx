// The saved receivers of webhooks of an account: their origins, without paths, which can contain secrets.
import { BreakableText } from "../../ui/breakable-text.tsx";
import type { Receiver } from "../answers.ts";

export function ReceiverTable({ receivers }: { readonly receivers: readonly Receiver[] }) {
  return (
    <section>
      <h2>Webhook receivers</h2>
      {receivers.length === 0 ? (
        <p class="note">The account has no saved receiver.</p>
      ) : (
        <table class="dense">
          <thead>
            <tr>
              <th scope="col">Receiver</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {receivers.map(({ id, name, origin, status }) => (
              <tr key={id}>
                <th scope="row">
                  <BreakableText text={name ?? origin} />
                  {name !== null && (
                    <span class="second-line">
                      <BreakableText text={origin} />
                    </span>
                  )}
                </th>
                <td>
                  <span class={`badge ${status === "active" ? "badge-success" : "badge-failed"}`}>{status}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
