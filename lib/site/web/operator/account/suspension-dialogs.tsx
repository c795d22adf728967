// Suspends an account, and resumes it.
import { useState } from "preact/hooks";
import { useSend } from "../../ui/frame.ts";
import { ActionDialog, ReasonField, withReason } from "../action-dialog.tsx";
import type { AccountDetails } from "../answers.ts";
import { API } from "../requests.ts";
import type { ActionProps } from "./action-props.ts";

const billings = [
  ["stop", "Stop: a billing month in which it is suspended all the time costs nothing."],
  ["continue", "Continue: the price of the plan stays due."],
] as const;

export function SuspendDialog({ account: { id, label }, onChanged, onClose }: ActionProps) {
  const send = useSend();
  const [reason, setReason] = useState("");
  const [billing, setBilling] = useState<"stop" | "continue">("stop");
  const act = async () =>
    onChanged(await send<AccountDetails>("POST", `${API}/accounts/${id}/suspend`, { reason, billing }));
  return (
    <ActionDialog title={`Suspend “${label}”?`} answer="Suspend" isDangerous {...{ act, onClose }}>
      <p>
        All that its API keys, sessions, and signed links request is refused at once, links to results included.
        Captures in progress end unbilled, and webhooks wait. Nothing is deleted. The owner gets a mail, and can still
        sign in, read the reason and the invoices, export all data, and delete the account.
      </p>
      <ReasonField
        id="suspend-reason"
        label="Reason, which the owner and each refused request get"
        value={reason}
        isRequired
        onText={setReason}
      />
      <fieldset class="choices">
        <legend>Billing while it is suspended</legend>
        {billings.map(([value, text]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="billing"
              value={value}
              checked={billing === value}
              onChange={() => setBilling(value)}
            />
            {text}
          </label>
        ))}
      </fieldset>
    </ActionDialog>
  );
}

export function ResumeDialog({ account: { id, label }, onChanged, onClose }: ActionProps) {
  const send = useSend();
  const [reason, setReason] = useState("");
  const act = async () =>
    onChanged(await send<AccountDetails>("POST", `${API}/accounts/${id}/resume`, withReason(reason)));
  return (
    <ActionDialog title={`Resume “${label}”?`} answer="Resume" {...{ act, onClose }}>
      <p>
        Its API keys, sessions, and links work again at once, and webhooks that waited are sent. Captures that the
        suspension has ended stay ended.
      </p>
      <ReasonField id="resume-reason" label="Reason, for the audit log (optional)" value={reason} onText={setReason} />
    </ActionDialog>
  );
}
