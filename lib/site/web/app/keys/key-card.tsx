// An API key in the list, with what can be changed of it.
import type { ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { IssuedKey, Key } from "../../../../../clients/typescript/src/generated/types.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { countText } from "../../ui/format.ts";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useQuestion } from "../question.tsx";
import { Time } from "../time.tsx";
import {
  EndQuestion,
  type KeyQuestionProps,
  LimitQuestion,
  RenameQuestion,
  RevokeQuestion,
  RotateKeyQuestion,
} from "./key-questions.tsx";
import { sampleRequest } from "./sample-request.ts";

interface KeyCardProps {
  readonly apiKey: Key;
  /** Whether the address names it. */
  readonly isLinked: boolean;
  readonly onChanged: () => void;
  readonly onIssued: (key: IssuedKey) => void;
  readonly onRevoked: (key: Key) => void;
}

const actions = ["rename", "limit", "rotate", "revoke"] as const;
type QuestionName = (typeof actions)[number] | "end";

export function KeyCard({ apiKey, isLinked, onChanged, onIssued, onRevoked }: KeyCardProps) {
  const { label, key_prefix, scopes, test, last_used_at, expires_at, created_at, previous_texts } = apiKey;
  const action = useAction();
  const card = useRef<HTMLLIElement>(null);
  const { question, setQuestion, focusButton, close, button } = useQuestion<QuestionName>(card);
  useEffect(() => {
    if (isLinked) card.current?.scrollIntoView({ block: "center" });
  }, [isLinked]);
  const answer = async (change: () => Promise<void>) => {
    const isDone = await action.run(change);
    if (!isDone) return;
    setQuestion(undefined);
    if (question === "revoke") return onRevoked(apiKey);
    if (question !== "rotate") focusButton(question === "end" ? "rotate" : (question ?? "rename"));
    onChanged();
  };
  const asked: KeyQuestionProps = {
    apiKey,
    isRunning: action.isRunning,
    onCancel: close,
    onAnswer: (change) => void answer(change),
  };
  const questions: Record<QuestionName, () => ComponentChild> = {
    rename: () => <RenameQuestion {...asked} />,
    limit: () => <LimitQuestion {...asked} />,
    rotate: () => <RotateKeyQuestion {...asked} onIssued={onIssued} />,
    end: () => <EndQuestion {...asked} />,
    revoke: () => <RevokeQuestion {...asked} />,
  };
  return (
    <li class="key-card" ref={card}>
      <div class="key-head">
        <h3>{label}</h3>
        <code>{key_prefix}…</code>
        {test && <span class="badge">For tests</span>}
      </div>
      <dl class="facts">
        <dt>Scopes</dt>
        <dd>{scopes.join(", ")}</dd>
        <dt>Last used</dt>
        <dd>{last_used_at === null ? "never" : <Time at={last_used_at} />}</dd>
        <dt>Expires</dt>
        <dd>{expires_at === null ? "never" : <Time at={expires_at} />}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={created_at} />
        </dd>
        {!test && apiKey.monthly_limit === null && (
          <>
            <dt>This period</dt>
            <dd>{countText(apiKey.monthly_used, "capture")}, no limit</dd>
          </>
        )}
      </dl>
      <KeyLimit apiKey={apiKey} />
      {previous_texts.map((text) => (
        <p key={text.key_prefix} class="key-previous">
          The old text <code>{text.key_prefix}…</code> works until <Time at={text.ends_at} />.
        </p>
      ))}
      <details class="key-sample">
        <summary>Sample request</summary>
        <CopyText label="Shell" text={sampleRequest(scopes)} />
      </details>
      <div class="key-actions">
        {actions
          .filter((name) => name !== "limit" || !test)
          .map((name) => button(name, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`))}
        {previous_texts.length > 0 && button("end", previous_texts.length === 1 ? "End old text" : "End old texts")}
      </div>
      {question && questions[question]()}
      {action.problem && <Notice problem={action.problem} />}
    </li>
  );
}

/** What is used of the monthly limit, if the key has one. */
function KeyLimit({ apiKey: { monthly_limit: limit, monthly_used: used } }: { readonly apiKey: Key }) {
  if (limit === null) return null;
  return (
    <>
      <Meter label="Captures in this billing period" used={used} limit={limit} />
      {used >= limit && (
        <p class="key-limit-reached">
          The limit is reached: captures with this key are refused until the next billing period, or until you raise it.
        </p>
      )}
    </>
  );
}
