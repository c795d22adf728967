// The form that creates an API key: a label is enough. Limits and scopes are folded.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IssuedKey } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { handleSubmit, TextField } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";
import { KeyLimitFields, type KeyLimits, usualLimits } from "./key-limit-fields.tsx";

interface NewKeyFormProps {
  /** What the label is until the visitor changes it. */
  readonly defaultLabel: string;
  readonly onIssued: (key: IssuedKey) => void;
  /** Closes the form without a key; undefined for a form that is always there. */
  readonly onCancel?: (() => void) | undefined;
}

export function NewKeyForm({ defaultLabel, onIssued, onCancel }: NewKeyFormProps) {
  const [label, setLabel] = useState(defaultLabel);
  const [limits, setLimits] = useState(usualLimits);
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (onCancel) form.current?.querySelector("input")?.select(); // the visitor has just asked for it
  }, []);
  const create = () =>
    action.run(async () => onIssued(await send<IssuedKey>("POST", "/api/v1/keys", { label, ...requestOf(limits) })));
  return (
    <form
      ref={form}
      class="new-key"
      onSubmit={handleSubmit(create)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel?.();
      }}
    >
      <h2>{onCancel ? "New key" : "Your first key"}</h2>
      <div class="new-key-row">
        <TextField id="key-label" label="Label" required maxLength={100} value={label} onText={setLabel} />
        <button type="submit" class="button-primary" disabled={action.isRunning}>
          Create key
        </button>
        {onCancel && (
          <button type="button" class="quiet" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
      <details>
        <summary>Limits and scopes</summary>
        <KeyLimitFields limits={limits} onChange={setLimits} />
      </details>
      {action.problem && <Notice problem={action.problem} />}
    </form>
  );
}

/** A key for tests can't manage keys, and one that does has no limit. */
function requestOf({ scopes, expiry, limit, test }: KeyLimits) {
  const granted = scopes.filter((scope) => !(test && scope === "keys"));
  const hasLimit = limit !== "" && !test && !granted.includes("keys");
  return {
    scopes: granted,
    expires_at: expiry === "" ? null : new Date(`${expiry}T23:59:59`).toISOString(),
    monthly_limit: hasLimit ? Number(limit) : null,
    test,
  };
}
