// Sets limits of one account otherwise than its plan does, each for good or until a day.
import { useState } from "preact/hooks";
import { formatCount } from "../../ui/format.ts";
import { useSend } from "../../ui/frame.ts";
import { ActionDialog, ReasonField, withReason } from "../action-dialog.tsx";
import type { AccountDetails, Limit, LimitName } from "../answers.ts";
import { API } from "../requests.ts";
import type { ActionProps } from "./action-props.ts";
import { limitNames, limitTitles } from "./limit-names.ts";

/** What is in the fields of a limit. */
interface Draft {
  /** A number; empty for the limit of the plan. */
  readonly value: string;
  /** A day, until whose start in UTC the limit holds; empty for no end. */
  readonly until: string;
}

export function LimitsDialog({ account, onChanged, onClose }: ActionProps) {
  const send = useSend();
  const [drafts, setDrafts] = useState(
    () =>
      Object.fromEntries(limitNames.map((name) => [name, draftOf(account.limits[name])])) as Record<LimitName, Draft>,
  );
  const [reason, setReason] = useState("");
  const limits = changedLimits(account, drafts);
  const act = async () =>
    onChanged(
      await send<AccountDetails>("POST", `${API}/accounts/${account.id}/limits`, {
        limits,
        ...withReason(reason),
      }),
    );
  return (
    <ActionDialog
      title={`Limits of “${account.label}”`}
      answer="Set the limits"
      isIncomplete={Object.keys(limits).length === 0}
      {...{ act, onClose }}
    >
      <p>
        A limit that you leave empty is that of the plan. One without an end holds until you change it. The owner sees
        all of them.
      </p>
      <div class="limit-fields">
        {limitNames.map((name) => (
          <LimitFields
            key={name}
            name={name}
            limit={account.limits[name]}
            draft={drafts[name]}
            onChange={(draft) => setDrafts({ ...drafts, [name]: draft })}
          />
        ))}
      </div>
      <ReasonField id="limits-reason" label="Reason, for the audit log (optional)" value={reason} onText={setReason} />
    </ActionDialog>
  );
}

function draftOf({ value, until, is_override }: Limit): Draft {
  if (!is_override || value === null) return { value: "", until: "" };
  return { value: String(value), until: until?.slice(0, 10) ?? "" };
}

/** The limits whose fields have changed: null for one that is the plan's again. */
function changedLimits({ limits }: AccountDetails, drafts: Readonly<Record<LimitName, Draft>>) {
  const changed = limitNames.filter((name) => {
    const [before, after] = [draftOf(limits[name]), drafts[name]];
    return after.value !== before.value || (after.value !== "" && after.until !== before.until);
  });
  return Object.fromEntries(
    changed.map((name) => {
      const { value, until } = drafts[name];
      const end = until === "" ? null : `${until}T00:00:00.000Z`;
      return [name, value === "" ? null : { value: Number(value), until: end }];
    }),
  );
}

interface LimitFieldsProps {
  readonly name: LimitName;
  readonly limit: Limit;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function LimitFields({ name, limit, draft, onChange }: LimitFieldsProps) {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const plan = limit.is_override ? "Of the plan" : limit.value === null ? "No limit" : formatCount(limit.value);
  return (
    <fieldset>
      <legend>{limitTitles[name]}</legend>
      <div class="field">
        <label for={`limit-${name}`}>Limit</label>
        <input
          id={`limit-${name}`}
          type="number"
          min={0}
          max={1_000_000}
          placeholder={plan}
          value={draft.value}
          onInput={(event) => onChange({ ...draft, value: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`until-${name}`}>Until (UTC)</label>
        <input
          id={`until-${name}`}
          type="date"
          min={tomorrow}
          disabled={draft.value === ""}
          value={draft.until}
          onInput={(event) => onChange({ ...draft, until: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  );
}
