// The form that creates an API key.
import { useState } from "preact/hooks";
import type { IssuedKey } from "../../../../../clients/typescript/src/generated/types.ts";
import { MAX_TESTS_PER_DAY } from "../../../../contract/plans.ts";
import { send } from "../api.ts";
import { Notice } from "../notice.tsx";
import { useAction } from "../use-action.ts";

const SCOPES = [
  ["capture", "Capture pages"],
  ["usage", "Read usage and invoices"],
  ["keys", "Manage API keys"],
] as const;

export function NewKeyForm({ onIssued }: { readonly onIssued: (key: IssuedKey) => void }) {
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["capture", "usage"]);
  const [expiry, setExpiry] = useState("");
  const [limit, setLimit] = useState("");
  const [test, setTest] = useState(false);
  const action = useAction();
  const granted = scopes.filter((scope) => !(test && scope === "keys"));
  const canBeLimited = !test && !granted.includes("keys");
  const create = () =>
    action.run(async () => {
      const expires_at = expiry === "" ? null : new Date(`${expiry}T23:59:59`).toISOString();
      const monthly_limit = limit === "" || !canBeLimited ? null : Number(limit);
      onIssued(
        await send<IssuedKey>("POST", "/api/v1/keys", { label, scopes: granted, expires_at, monthly_limit, test }),
      );
      setLabel("");
      setLimit("");
      setTest(false);
    });
  return (
    <form
      class="new-key"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h2>New key</h2>
      <div class="field">
        <label for="key-label">Label</label>
        <input
          id="key-label"
          required
          maxLength={100}
          placeholder="Website"
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="key-expiry">Expires (optional)</label>
        <input id="key-expiry" type="date" value={expiry} onInput={(event) => setExpiry(event.currentTarget.value)} />
      </div>
      <div class="field">
        <label for="key-limit">Captures a month (optional)</label>
        <input
          id="key-limit"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          placeholder={canBeLimited ? "no limit" : "can’t be limited"}
          disabled={!canBeLimited}
          value={canBeLimited ? limit : ""}
          onInput={(event) => setLimit(event.currentTarget.value)}
        />
      </div>
      <fieldset>
        <legend>It may</legend>
        {SCOPES.map(([scope, words]) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={granted.includes(scope)}
              disabled={test && scope === "keys"}
              onChange={({ currentTarget: { checked } }) =>
                setScopes((last) => (checked ? [...last, scope] : last.filter((each) => each !== scope)))
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
      <div>
        <label class="check">
          <input
            id="key-test"
            type="checkbox"
            checked={test}
            aria-describedby="key-test-note"
            onChange={({ currentTarget: { checked } }) => setTest(checked)}
          />
          For tests
        </label>
        <p id="key-test-note" class="note">
          Captures are real and free, at most {MAX_TESTS_PER_DAY} a day, with the word TEST across them. The key can't
          manage keys.
        </p>
      </div>
      <button type="submit" class="button-primary" disabled={action.isRunning}>
        Create key
      </button>
      {action.problem && <Notice problem={action.problem} />}
    </form>
  );
}
