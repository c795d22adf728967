// The form that creates an API key.
import { useState } from "preact/hooks";
import type { IssuedKey } from "../../../../../clients/typescript/src/generated/types.ts";
import { MAX_TESTS_PER_DAY } from "../../../../contract/plans.ts";
import { send } from "../../ui/api.ts";
import { handleSubmit, TextField } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";

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
    <form class="new-key" onSubmit={handleSubmit(create)}>
      <h2>New key</h2>
      <TextField
        id="key-label"
        label="Label"
        required
        maxLength={100}
        placeholder="Website"
        value={label}
        onText={setLabel}
      />
      <TextField id="key-expiry" label="Expires (optional)" type="date" value={expiry} onText={setExpiry} />
      <TextField
        id="key-limit"
        label="Captures a month (optional)"
        type="number"
        min={0}
        step={1}
        inputMode="numeric"
        placeholder={canBeLimited ? "no limit" : "can’t be limited"}
        disabled={!canBeLimited}
        value={canBeLimited ? limit : ""}
        onText={setLimit}
      />
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
