// The API keys of an account. Their texts are stored nowhere.
import { BreakableText } from "../../ui/breakable-text.tsx";
import type { AccountKey } from "../answers.ts";
import { Age, UtcDay } from "../time.tsx";

export function KeyTable({ keys }: { readonly keys: readonly AccountKey[] }) {
  return (
    <section>
      <h2>API keys</h2>
      {keys.length === 0 ? (
        <p class="note">The account has no API key.</p>
      ) : (
        <table class="dense">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">State</th>
              <th scope="col" class="wide">
                Scopes
              </th>
              <th scope="col" class="number wide">
                Created
              </th>
              <th scope="col" class="number">
                Last used
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ id, label, key_prefix, scopes, created_at, last_used_at, ...key }) => (
              <tr key={id}>
                <th scope="row">
                  <BreakableText text={label} />
                  <span class="second-line">
                    <code>{key_prefix}…</code>
                  </span>
                </th>
                <td>
                  <KeyState {...key} />
                </td>
                <td class="wide">{scopes.join(", ")}</td>
                <td class="number wide">
                  <UtcDay at={created_at} />
                </td>
                <td class="number">{last_used_at === null ? "never" : <Age at={last_used_at} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function KeyState({ revoked_at, expires_at }: Pick<AccountKey, "revoked_at" | "expires_at">) {
  if (revoked_at !== null) return <span class="badge badge-failed">revoked</span>;
  if (expires_at === null) return <span class="badge badge-success">active</span>;
  if (Date.parse(expires_at) <= Date.now()) return <span class="badge badge-failed">expired</span>;
  return (
    <>
      <span class="badge badge-success">active</span>{" "}
      <span class="note">
        until <UtcDay at={expires_at} />
      </span>
    </>
  );
}
