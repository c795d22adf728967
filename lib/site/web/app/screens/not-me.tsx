// Ends all sessions of an account whose owner got a mail about a sign-in that was not theirs, by the link of that mail.
import { useState } from "preact/hooks";
import { send } from "../../ui/api.ts";
import { Heading } from "../../ui/heading.tsx";
import { takeLinkToken } from "../../ui/link-token.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { useAction } from "../../ui/use-action.ts";
import { signInPath } from "../return-path.ts";

export function NotMeScreen() {
  const [token] = useState(takeLinkToken);
  const [isDone, setDone] = useState(false);
  const action = useAction();
  const report = () =>
    action.run(async () => {
      await send<void>("POST", "/session/not-me", { token });
      setDone(true);
    });
  return (
    <div class="sign-in">
      <Heading>A sign-in that was not you</Heading>
      {isDone ? (
        <section role="status">
          <h2>Every browser is signed out of the account</h2>
          <p>Now make sure that no one else can sign in again:</p>
          <ol>
            <li>If others may read your mail, change the password of your mailbox first.</li>
            <li>
              <a href={addressOf(signInPath("keys"))}>Sign in</a>, and revoke every API key that you don’t know. They
              keep working until then.
            </li>
            <li>Look at the address of the account, and at its captures.</li>
          </ol>
        </section>
      ) : token === undefined ? (
        <p>
          This page needs the link of the e-mail. Open it from there: it works once, for 72 hours after the sign-in.
        </p>
      ) : (
        <section>
          <p>
            Someone signed in to your account in a browser that was not used for it before. If that was not you, sign
            every browser out of the account, this one included. The link works once, for 72 hours after the sign-in.
          </p>
          <p class="form-actions">
            <button type="button" class="button-primary" disabled={action.isRunning} onClick={() => void report()}>
              Sign every browser out
            </button>
          </p>
          {action.problem && <Notice problem={action.problem} />}
        </section>
      )}
    </div>
  );
}
