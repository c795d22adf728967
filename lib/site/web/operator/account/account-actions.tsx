// What the operator can do with an account. Each action is asked about in a dialog, and what came of it is said above.
import { useState } from "preact/hooks";
import { planName } from "../../ui/format.ts";
import type { AccountDetails } from "../answers.ts";
import { LimitsDialog } from "./limits-dialog.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { SignInLinkDialog } from "./sign-in-link-dialog.tsx";
import { ResumeDialog, SuspendDialog } from "./suspension-dialogs.tsx";

export type ActionName = "plan" | "limits" | "link" | "suspend" | "resume";

interface AccountActionsProps {
  readonly account: AccountDetails;
  /** The action that is being asked about. */
  readonly open: ActionName | undefined;
  readonly onOpen: (action: ActionName | undefined) => void;
  readonly onChanged: (account: AccountDetails) => void;
}

export function AccountActions({ account, open, onOpen, onChanged }: AccountActionsProps) {
  const [outcome, setOutcome] = useState<string>();
  const { suspension, email, label } = account;
  const button = (name: ActionName, text: string) => (
    <button type="button" aria-haspopup="dialog" onClick={() => onOpen(name)}>
      {text}
    </button>
  );
  const changed = (describe: (after: AccountDetails) => string) => (after: AccountDetails) => {
    onChanged(after);
    setOutcome(describe(after));
  };
  const props = { account, onClose: () => onOpen(undefined) };
  return (
    <div class="account-actions">
      <p class="form-actions">
        {button("plan", "Change the plan…")}
        {button("limits", "Set limits…")}
        {email !== null && button("link", "Send a sign-in link…")}
        {suspension === null ? button("suspend", "Suspend…") : button("resume", "Resume…")}
      </p>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {open === "plan" && <PlanDialog {...props} onChanged={changed(({ plan }) => `The plan is ${planName(plan)}.`)} />}
      {open === "limits" && <LimitsDialog {...props} onChanged={changed(() => "The limits are set.")} />}
      {open === "link" && (
        <SignInLinkDialog {...props} onChanged={changed(() => `A sign-in link was sent to ${email}.`)} />
      )}
      {open === "suspend" && <SuspendDialog {...props} onChanged={changed(() => `“${label}” is suspended.`)} />}
      {open === "resume" && <ResumeDialog {...props} onChanged={changed(() => `“${label}” is resumed.`)} />}
    </div>
  );
}
