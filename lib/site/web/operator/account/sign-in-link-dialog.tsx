// Sends the owner of an account a link to sign in. The operator never sees it.
import { useState } from "preact/hooks";
import { useSend } from "../../ui/frame.ts";
import { ActionDialog, ReasonField, withReason } from "../action-dialog.tsx";
import { API } from "../requests.ts";
import type { ActionProps } from "./action-props.ts";

export function SignInLinkDialog({ account, onChanged, onClose }: ActionProps) {
  const send = useSend();
  const [reason, setReason] = useState("");
  const act = async () => {
    await send<void>("POST", `${API}/accounts/${account.id}/sign-in-link`, {
      ...withReason(reason),
    });
    onChanged(account);
  };
  return (
    <ActionDialog title="Send a sign-in link?" answer="Send the link" {...{ act, onClose }}>
      <p>
        The owner gets it by mail to <strong>{account.email}</strong>. It works once, within 15 minutes, and the mail
        says that the operator asked for it. You don’t see the link, and can’t sign in to the account.
      </p>
      <ReasonField id="link-reason" label="Reason, for the audit log (optional)" value={reason} onText={setReason} />
    </ActionDialog>
  );
}
