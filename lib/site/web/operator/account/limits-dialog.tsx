// Sets limits of one account otherwise than its plan does, each for good or until a day.
import { useState } from "preact/hooks";
import { planNames, plans } from "../../../../contract/plans.ts";
import { formatCount } from "../../ui/format.ts";
import { useSend } from "../../ui/frame.ts";
import { type LimitName, type Limits, limitTitles } from "../../ui/limits.ts";
import { ActionDialog, ReasonField, withReason } from "../action-dialog.tsx";
import type { AccountDetails } from "../answers.ts";
import { API } from "../requests.ts";
import type { ActionProps } from "./action-props.ts";

const DAY_MS = 86_400_000;

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
      Object.fromEntries(limitTitles.map(([name]) => [name, draftOf(account.limits[name])])) as Record<
        LimitName,
        Draft
      >,
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
        A limit that you leave empty is that of the plan. One with an end holds until that day begins in UTC, one
        without an end until you change it. The owner sees all of them.
      </p>
      <div class="limit-fields">
        {limitTitles.map(([name, title]) => (
          <LimitFields
            key={name}
            {...{ name, title }}
            ofPlan={planText(name, account)}
            draft={drafts[name]}
            onChange={(draft) => setDrafts({ ...drafts, [name]: draft })}
          />
        ))}
      </div>
      <ReasonField id="limits-reason" label="Reason, for the audit log (optional)" value={reason} onText={setReason} />
    </ActionDialog>
  );
}

function draftOf({ value, until, is_override }: Limits[LimitName]): Draft {
  if (!is_override || value === null) return { value: "", until: "" };
  return { value: String(value), until: until?.slice(0, 10) ?? "" };
}

/** The limits whose fields have changed: null for one that is the plan's again. */
function changedLimits({ limits }: AccountDetails, drafts: Readonly<Record<LimitName, Draft>>) {
  const changed = limitTitles.filter(([name]) => {
    const [before, after] = [draftOf(limits[name]), drafts[name]];
    return after.value !== before.value || (after.value !== "" && after.until !== before.until);
  });
  return Object.fromEntries(
    changed.map(([name]) => {
      const { value, until } = drafts[name];
      const end = until === "" ? null : `${until}T00:00:00.000Z`;
      return [name, value === "" ? null : { value: Number(value), until: end }];
    }),
  );
}

/** The limit of the plan, as far as it is known where the operator has set another one. */
function planText(name: LimitName, { plan, limits }: Pick<AccountDetails, "plan" | "limits">): string {
  const { value, is_override } = limits[name];
  if (!is_override) return value === null ? "no limit" : formatCount(value);
  const known = planNames.find((each) => each === plan);
  if (name === "captures_per_day") return "no limit";
  if (known && name === "requests_per_minute") return formatCount(plans[known].requestsPerMinute);
  if (known && name === "concurrent_jobs") return formatCount(plans[known].concurrentJobs);
  return "as the plan";
}

interface LimitFieldsProps {
  readonly name: LimitName;
  readonly title: string;
  /** The limit of the plan in words. */
  readonly ofPlan: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function LimitFields({ name, title, ofPlan, draft, onChange }: LimitFieldsProps) {
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  return (
    <fieldset>
      <legend>
        {title} <span class="note">(plan: {ofPlan})</span>
      </legend>
      <div class="field">
        <label for={`limit-${name}`}>Limit</label>
        <input
          id={`limit-${name}`}
          type="number"
          min={0}
          placeholder={ofPlan}
          value={draft.value}
          onInput={(event) => onChange({ ...draft, value: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`until-${name}`}>Ends on (UTC)</label>
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
