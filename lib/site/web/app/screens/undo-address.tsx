// Undoes a change of an account's e-mail address, by the link that the previous address got.
import { useState } from "preact/hooks";
import { send } from "../../ui/api.ts";
import { Heading } from "../../ui/heading.tsx";
import { takeLinkToken } from "../../ui/link-token.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { useAction } from "../../ui/use-action.ts";

export function UndoAddressScreen() {
  const [token] = useState(takeLinkToken);
  const [restored, setRestored] = useState<string>();
  const action = useAction();
  const undo = () =>
    action.run(async () => {
      setRestored((await send<{ email: string }>("POST", "/session/account/email/undo", { token })).email);
    });
  return (
    <div class="sign-in">
      <Heading>Undo the change of your address</Heading>
      {restored !== undefined ? (
        <section role="status">
          <h2>{restored} is the account’s address again</h2>
          <p>Every browser was signed out. Now:</p>
          <ol>
            <li>
              <a href={addressOf("sign-in")}>Sign in</a> by a code to this address.
            </li>
            <li>Revoke every API key that you don’t know. They keep working until then.</li>
          </ol>
        </section>
      ) : token === undefined ? (
        <p>This page needs the link of the e-mail. Open it from there: it works once, for 72 hours after the change.</p>
      ) : (
        <section>
          <p>
            The account gets the address back to which the link was sent, and every browser is signed out of it. Do this
            if you didn’t change the address yourself. The link works once, for 72 hours after the change.
          </p>
          <p class="form-actions">
            <button type="button" class="button-primary" disabled={action.isRunning} onClick={() => void undo()}>
              Undo the change
            </button>
          </p>
          {action.problem && <Notice problem={action.problem} />}
        </section>
      )}
    </div>
  );
}
