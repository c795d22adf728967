// What a visitor is asked before a key is renamed, limited, rotated, or revoked, or before its old text ends.
import { useState } from "preact/hooks";
import type { IssuedKey, Key, UsagePage } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { SelectField, TextField } from "../../ui/form.tsx";
import { countText } from "../../ui/format.ts";
import { useResource } from "../../ui/use-resource.ts";
import { Question } from "../question.tsx";
import { Time } from "../time.tsx";

export interface KeyQuestionProps {
  readonly apiKey: Key;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
  /** Called with the change that answers the question. */
  readonly onAnswer: (change: () => Promise<void>) => void;
}

const pathOf = ({ id }: Key) => `/api/v1/keys/${id}`;

export function RenameQuestion({ apiKey, onAnswer, ...question }: KeyQuestionProps) {
  const [label, setLabel] = useState(apiKey.label);
  const id = `label-${apiKey.id}`;
  return (
    <Question
      label={`Rename “${apiKey.label}”`}
      answer="Save"
      onSubmit={() => onAnswer(() => send("PATCH", pathOf(apiKey), { label }))}
      {...question}
    >
      <TextField id={id} label="New label" required maxLength={100} value={label} onText={setLabel} />
    </Question>
  );
}

export function LimitQuestion({ apiKey, onAnswer, ...question }: KeyQuestionProps) {
  const [limit, setLimit] = useState(String(apiKey.monthly_limit ?? ""));
  const id = `limit-${apiKey.id}`;
  const managesKeys = apiKey.scopes.includes("keys");
  const save = () => {
    const monthly_limit = limit === "" ? null : Number(limit);
    const scopes = apiKey.scopes.filter((scope) => scope !== "keys");
    const isNarrowed = managesKeys && monthly_limit !== null;
    onAnswer(() => send("PATCH", pathOf(apiKey), { monthly_limit, ...(isNarrowed && { scopes }) }));
  };
  return (
    <Question
      label={`Limit “${apiKey.label}”`}
      answer={managesKeys && limit !== "" ? "Save, and remove the scope keys" : "Save"}
      onSubmit={save}
      {...question}
    >
      <TextField
        id={id}
        label="Captures a billing period"
        type="number"
        min={0}
        step={1}
        inputMode="numeric"
        placeholder="no limit"
        value={limit}
        aria-describedby={`${id}-note`}
        onText={setLimit}
      />
      <p id={`${id}-note`} class="note">
        Beyond it, captures with this key get 402. {countText(apiKey.monthly_used, "capture")} of this billing period
        count already.
        {managesKeys && " A key with a limit can’t manage keys, because it could create keys without one."}
      </p>
    </Question>
  );
}

const HOUR_S = 60 * 60;

/** How long the old text of a rotated key can keep working, in seconds, with its words. */
const overlaps = [
  [0, "It stops working now"],
  [HOUR_S, "It works for 1 more hour"],
  [24 * HOUR_S, "It works for 24 more hours"],
  [3 * 24 * HOUR_S, "It works for 3 more days"],
  [7 * 24 * HOUR_S, "It works for 7 more days"],
] as const;

interface RotateQuestionProps extends KeyQuestionProps {
  readonly onIssued: (key: IssuedKey) => void;
}

export function RotateKeyQuestion({ apiKey, onAnswer, onIssued, ...question }: RotateQuestionProps) {
  const [overlap, setOverlap] = useState(0);
  const id = `overlap-${apiKey.id}`;
  const rotate = async () => onIssued(await send<IssuedKey>("POST", `${pathOf(apiKey)}/rotate`, { overlap }));
  return (
    <Question
      label={`Rotate “${apiKey.label}”`}
      answer={`Rotate “${apiKey.label}”`}
      onSubmit={() => onAnswer(rotate)}
      {...question}
    >
      <p>
        {overlap === 0
          ? consequence(apiKey.last_used_at, "The key gets a new text, its signed links end")
          : "The key gets a new text. Programs can send either text until the old one ends; its signed links end with it."}{" "}
        The old signing secret signs webhooks for another day{overlap > 0 && ", or as long as the old text works"}.
      </p>
      <SelectField
        id={id}
        label="The old text"
        value={overlap}
        options={overlaps}
        onChoose={(seconds) => setOverlap(Number(seconds))}
      />
      {apiKey.previous_texts.length > 0 && <p class="note">Texts from earlier rotations work no longer than that.</p>}
      <LastUse keyId={apiKey.id} />
    </Question>
  );
}

export function EndQuestion({ apiKey, onAnswer, ...question }: KeyQuestionProps) {
  const count = apiKey.previous_texts.length;
  return (
    <Question
      label={`End the old text of “${apiKey.label}”`}
      answer={count === 1 ? "End the old text now" : "End the old texts now"}
      isDangerous
      onSubmit={() => onAnswer(() => send("DELETE", `${pathOf(apiKey)}/previous`))}
      {...question}
    >
      <p>Programs that still send {count === 1 ? "it" : "them"} get 401, and links signed with the old secret end.</p>
      <LastUse keyId={apiKey.id} />
    </Question>
  );
}

export function RevokeQuestion({ apiKey, onAnswer, ...question }: KeyQuestionProps) {
  return (
    <Question
      label={`Revoke “${apiKey.label}”`}
      answer={`Revoke “${apiKey.label}”`}
      isDangerous
      onSubmit={() => onAnswer(() => send("DELETE", pathOf(apiKey)))}
      {...question}
    >
      <p>
        {consequence(apiKey.last_used_at, "The key stops working for good, and its signed links with it")}
        {apiKey.previous_texts.length > 0 && " Its old text stops with it."}
      </p>
      <LastUse keyId={apiKey.id} />
    </Question>
  );
}

/** What the key captured last, with which text, and from where: the program that a change would break. */
function LastUse({ keyId }: { readonly keyId: number }) {
  const last = useResource<UsagePage>(`/api/v1/usage?api_key_id=${keyId}&per_page=1`);
  const [log] = last.data?.data ?? [];
  if (!log) return null;
  return (
    <p class="note">
      Its last capture came from {log.ip_address} at <Time at={log.created_at} />, with{" "}
      <code>{log.api_key.key_prefix}…</code>
      {log.url !== "" && `: ${log.url}`}. It made {countText(last.data?.total ?? 0, "capture")}.
    </p>
  );
}

/** What breaks, with when the key was last used. */
function consequence(lastUse: string | null, effect: string) {
  if (lastUse === null) return `${effect}. It was never used.`;
  return (
    <>
      {effect}, and programs that send it get 401. It was last used <Time at={lastUse} />.
    </>
  );
}
