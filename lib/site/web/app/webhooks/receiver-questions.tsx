// What a visitor is asked before a receiver is changed or deleted, its secret rotated, or its webhooks sent again.
import { useState } from "preact/hooks";
import type {
  IssuedWebhookReceiver,
  WebhookReceiver,
  WebhookReplay,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { SelectField, TextField } from "../../ui/form.tsx";
import { countText } from "../../ui/format.ts";
import { Question } from "../question.tsx";
import { ReceiverFields } from "./receiver-fields.tsx";
import { keptText } from "./receiver-health.tsx";

export interface ReceiverQuestionProps {
  readonly receiver: WebhookReceiver;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
  /** Called with the change that answers the question, and with what it says when it is done. */
  readonly onAnswer: (change: () => Promise<string>) => void;
}

export const pathOf = ({ id }: Pick<WebhookReceiver, "id">) => `/api/v1/webhooks/receivers/${id}`;

export function EditQuestion({ receiver, onAnswer, ...question }: ReceiverQuestionProps) {
  const [name, setName] = useState(receiver.name);
  const [url, setUrl] = useState(receiver.url);
  const save = async () => {
    await send("PATCH", pathOf(receiver), { name, url });
    return "The receiver is changed.";
  };
  return (
    <Question label={`Edit “${receiver.name}”`} answer="Save" onSubmit={() => onAnswer(save)} {...question}>
      <ReceiverFields id="edit" name={name} url={url} onName={setName} onUrl={setUrl} />
      <p class="note">A new address also applies to webhooks that wait for a retry.</p>
    </Question>
  );
}

const HOUR_S = 60 * 60;

/** How long the previous secret signs, too, in seconds, with its words. */
const overlaps = [
  [24 * HOUR_S, "signs for 1 more day"],
  [HOUR_S, "signs for 1 more hour"],
  [7 * 24 * HOUR_S, "signs for 7 more days"],
  [0, "ends now, because it may have leaked"],
] as const;

interface RotateQuestionProps extends ReceiverQuestionProps {
  readonly onIssued: (receiver: IssuedWebhookReceiver) => void;
}

export function RotateSecretQuestion({ receiver, onAnswer, onIssued, ...question }: RotateQuestionProps) {
  const [overlap, setOverlap] = useState<number>(overlaps[0][0]);
  const rotate = async () => {
    onIssued(await send<IssuedWebhookReceiver>("POST", `${pathOf(receiver)}/rotate`, { overlap }));
    return "The receiver has a new secret.";
  };
  return (
    <Question
      label={`Rotate the secret of “${receiver.name}”`}
      answer="Rotate the secret"
      onSubmit={() => onAnswer(rotate)}
      {...question}
    >
      <p>
        {overlap === 0
          ? "Webhooks are signed with the new secret alone: they are refused until you change it where you verify them."
          : "Webhooks are signed with both secrets meanwhile, so that you can change it where you verify them."}
      </p>
      <SelectField
        id="secret-overlap"
        label="The previous secret"
        value={overlap}
        options={overlaps}
        onChoose={(seconds) => setOverlap(Number(seconds))}
      />
    </Question>
  );
}

const DAY_MS = 24 * HOUR_S * 1000;

/** A time as a field for local times has it. */
function localTime(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function ReplayQuestion({ receiver, onAnswer, ...question }: ReceiverQuestionProps) {
  const { failing_since } = receiver;
  const [since, setSince] = useState(() => localTime(failing_since ? Date.parse(failing_since) : Date.now() - DAY_MS));
  const replay = async () => {
    const body = { since: new Date(since).toISOString() };
    const { captures, message } = await send<WebhookReplay>("POST", `${pathOf(receiver)}/replay`, body);
    return captures === 0 ? message : `${countText(captures, "webhook")}: ${message}`;
  };
  return (
    <Question
      label={`Send webhooks of “${receiver.name}” again`}
      answer="Send again"
      onSubmit={() => onAnswer(replay)}
      {...question}
    >
      <TextField
        id="replay-since"
        label="Since"
        type="datetime-local"
        required
        min={localTime(Date.now() - 30 * DAY_MS)}
        max={localTime(Date.now())}
        value={since}
        onText={setSince}
      />
      <p class="note">
        The receiver gets the webhook of each capture again that was sent to it since then, also if it had accepted it,
        with the same <code>webhook-id</code>.
      </p>
    </Question>
  );
}

export function DeleteQuestion({ receiver, onAnswer, ...question }: ReceiverQuestionProps) {
  const remove = async () => {
    await send("DELETE", pathOf(receiver));
    return "";
  };
  return (
    <Question
      label={`Delete “${receiver.name}”`}
      answer={`Delete “${receiver.name}”`}
      isDangerous
      onSubmit={() => onAnswer(remove)}
      {...question}
    >
      <p>
        Captures that name the receiver are refused from now on, and webhooks that wait for it fail.
        {receiver.kept_events > 0 && ` ${keptText(receiver)}, and will not be sent.`} To stop webhooks for a while,
        pause it instead.
      </p>
    </Question>
  );
}
