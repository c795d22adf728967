// What a new API key may do, until when, and how much.
import { MAX_TESTS_PER_DAY } from "../../../../contract/plans.ts";
import { TextField } from "../../ui/form.tsx";

export interface KeyLimits {
  readonly scopes: readonly string[];
  /** A day; empty for a key without an end. */
  readonly expiry: string;
  /** Captures a month; empty for none. */
  readonly limit: string;
  readonly test: boolean;
}

/** Those of a key that captures pages. */
export const usualLimits: KeyLimits = { scopes: ["capture", "usage"], expiry: "", limit: "", test: false };

const SCOPES = [
  ["capture", "Capture pages"],
  ["usage", "Read usage and invoices"],
  ["keys", "Manage API keys"],
] as const;

interface KeyLimitFieldsProps {
  readonly limits: KeyLimits;
  readonly onChange: (limits: KeyLimits) => void;
}

export function KeyLimitFields({ limits, onChange }: KeyLimitFieldsProps) {
  const { scopes, expiry, limit, test } = limits;
  const change = (changes: Partial<KeyLimits>) => onChange({ ...limits, ...changes });
  const isGranted = (scope: string) => scopes.includes(scope) && !(test && scope === "keys");
  const canBeLimited = !test && !isGranted("keys");
  return (
    <div class="key-limits">
      <fieldset>
        <legend>The key may</legend>
        {SCOPES.map(([scope, words]) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={isGranted(scope)}
              disabled={test && scope === "keys"}
              onChange={({ currentTarget: { checked } }) =>
                change({ scopes: checked ? [...scopes, scope] : scopes.filter((each) => each !== scope) })
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
      <div class="key-limit-row">
        <TextField
          id="key-expiry"
          label="Expires (optional)"
          type="date"
          value={expiry}
          onText={(text) => change({ expiry: text })}
        />
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
          onText={(text) => change({ limit: text })}
        />
      </div>
      <div>
        <label class="check">
          <input
            id="key-test"
            type="checkbox"
            checked={test}
            aria-describedby="key-test-note"
            onChange={({ currentTarget: { checked } }) => change({ test: checked })}
          />
          For tests
        </label>
        <p id="key-test-note" class="note">
          Captures are real and free, at most {MAX_TESTS_PER_DAY} a day, with the word TEST across them. The key can’t
          manage keys.
        </p>
      </div>
    </div>
  );
}
